import { countOf, defined, type JsonObject, membersOf, objectsOf, textIn, textOf } from '../../conversation/json.ts'
import { nearestShape } from '../../media/picture-shapes.ts'
import {
  noPictures,
  onlyBytes,
  onlyOne,
  type PicturesDialect,
  type PicturesRequest,
  pictureSettings,
} from '../../media/pictures.ts'
import { readUsage } from '../answer.ts'
import { objectField } from '../names.ts'

/** ai.google.dev/api/generate-content#ImageConfig */
const shapes = ['1:1', '2:3', '3:2', '3:4', '4:3', '4:5', '5:4', '9:16', '16:9', '21:9'] as const

/** Fields of `imageConfig` and `generationConfig` that clients may set. */
const imageSettings: Readonly<Record<string, string>> = {
  aspectRatio: 'aspectRatio',
  aspect_ratio: 'aspectRatio',
  imageSize: 'imageSize',
  image_size: 'imageSize',
}
const settings: Readonly<Record<string, string>> = { seed: 'seed', temperature: 'temperature', ...imageSettings }

const imageNames: ReadonlySet<string> = new Set(Object.values(imageSettings))

const configOf = (fields: JsonObject, shape: string | undefined): JsonObject => {
  const entries = Object.entries(fields)
  const image = {
    ...defined({ aspectRatio: shape }),
    ...Object.fromEntries(entries.filter(([name]) => imageNames.has(name))),
  }
  return {
    responseModalities: ['TEXT', 'IMAGE'],
    ...Object.fromEntries(entries.filter(([name]) => !imageNames.has(name))),
    ...(Object.keys(image).length === 0 ? {} : { imageConfig: image }),
  }
}

const partsOf = ({ prompt, images }: PicturesRequest): readonly JsonObject[] => [
  ...images.map(({ type, bytes }) => ({ inlineData: { mimeType: type, data: bytes.toString('base64') } })),
  { text: prompt },
]

const isThought = ({ thought }: JsonObject): boolean => thought === true

const answered = (json: JsonObject): readonly JsonObject[] =>
  objectsOf(json.candidates)
    .flatMap(({ content }) => objectsOf(membersOf(content).parts))
    .filter((part) => !isThought(part))

const bytesOf = (part: JsonObject): string => textOf(objectField(part, 'inlineData').data)

/** Why there is no picture: Google's message, the model's text, or the reason code. */
const reasonOf = (json: JsonObject): string | undefined => {
  const [candidate] = objectsOf(json.candidates)
  const feedback = membersOf(json.promptFeedback)
  const answerText = answered(json)
    .map(({ text }) => textOf(text))
    .join('')
    .trim()
  const reasons = [
    candidate?.finishMessage,
    feedback.blockReasonMessage,
    answerText,
    feedback.blockReason,
    candidate?.finishReason,
  ]
  return reasons.map(textOf).find((reason) => reason !== '' && reason !== 'STOP')
}

const pictureTokensOf = (json: JsonObject): number =>
  objectsOf(membersOf(json.usageMetadata).promptTokensDetails).reduce(
    (sum, { modality, tokenCount }) => sum + (modality === 'IMAGE' ? countOf(tokenCount) : 0),
    0,
  )

/**
 * Gemini's image models, which use generateContent (ai.google.dev/gemini-api/docs/image-generation). They create and edit
 * pictures, one per call.
 */
export const geminiPictures = (safetySettings: readonly JsonObject[]): PicturesDialect => ({
  write(request, unsupported) {
    onlyOne(request, unsupported)
    onlyBytes(request, unsupported)
    return {
      contents: [{ role: 'user', parts: partsOf(request) }],
      safetySettings,
      generationConfig: configOf(
        pictureSettings(request, settings, unsupported),
        nearestShape(request.size, shapes, unsupported),
      ),
    }
  },
  read: (json) => ({
    pictures: answered(json)
      .map(bytesOf)
      .filter((bytes) => bytes !== '')
      .map((base64) => ({ base64 })),
    usage: readUsage(json.usageMetadata),
    pictureTokens: pictureTokensOf(json),
  }),
  errorOf(json) {
    if (json.error !== undefined || answered(json).some((part) => bytesOf(part) !== '')) return undefined
    return noPictures(textIn(reasonOf(json)))
  },
})

/** True for Imagen models, which use `predict`; other models use generateContent. */
export const isImagen = (model: string): boolean => /^(imagen|imagegeneration)/.test(model)
