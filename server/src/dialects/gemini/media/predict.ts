import type { ClientShape } from '../../client-shape.ts'
import { defined, type JsonObject, membersOf, numberIn, objectsOf, textIn, without } from '../../conversation/json.ts'
import { costIn } from '../../cost/cost-place.ts'
import { invalidPictures } from '../../media/pictures.ts'

const readHere: ReadonlySet<string> = new Set(['sampleCount', 'includeRaiReason', 'outputOptions'])

/** Translates the instances and parameters of Imagen's request to OpenAI's. */
const picturesOf = ({ instances, parameters }: JsonObject, model: string): JsonObject => {
  const [first, second] = objectsOf(instances)
  const prompt = textIn(first?.prompt)
  if (prompt === undefined || second !== undefined) throw invalidPictures('instances must be one object with a prompt')
  const settings = membersOf(parameters)
  const n = numberIn(settings.sampleCount)
  return { model, prompt, response_format: 'b64_json', ...defined({ n }), ...without(settings, readHere) }
}

/** Imagen's own call, `models/{model}:predict` (ai.google.dev/gemini-api/docs/imagen). */
export const predict: ClientShape = {
  path: '/v1/images/generations',
  read({ body }, { model }) {
    const pictures = picturesOf(body, model)
    return { raw: Buffer.from(JSON.stringify(pictures)), body: pictures }
  },
  write: ({ data, usage }) => ({
    predictions: objectsOf(data).map(({ b64_json: bytesBase64Encoded, revised_prompt: prompt }) =>
      defined({ mimeType: 'image/png', bytesBase64Encoded, prompt: textIn(prompt) }),
    ),
    ...costIn('usageMetadata', usage),
  }),
}
