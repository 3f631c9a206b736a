import { usageStated } from '../../../billing/declared/usage-stated.ts'
import { defined, type JsonObject, objectsOf, textIn } from '../../conversation/json.ts'
import { nearestShape } from '../../media/picture-shapes.ts'
import { noPictures, onlyBytes, onlyNew, type PicturesDialect, pictureSettings } from '../../media/pictures.ts'

/** ai.google.dev/gemini-api/docs/imagen */
const shapes = ['1:1', '3:4', '4:3', '9:16', '16:9'] as const

/** Parameters that clients may name themselves (cloud.google.com/vertex-ai/generative-ai/docs/model-reference/imagen-api). */
const settings: Readonly<Record<string, string>> = {
  aspectRatio: 'aspectRatio',
  aspect_ratio: 'aspectRatio',
  negative_prompt: 'negativePrompt',
  negativePrompt: 'negativePrompt',
  personGeneration: 'personGeneration',
  person_generation: 'personGeneration',
  safetySetting: 'safetySetting',
  sampleImageSize: 'sampleImageSize',
  seed: 'seed',
  addWatermark: 'addWatermark',
  enhancePrompt: 'enhancePrompt',
  language: 'language',
}

const isPicture = ({ bytesBase64Encoded: bytes }: JsonObject): boolean => typeof bytes === 'string' && bytes !== ''

/**
 * Imagen, at Google's AI Studio (ai.google.dev/gemini-api/docs/imagen) and on Vertex
 * (cloud.google.com/vertex-ai/generative-ai/docs/model-reference/imagen-api). Filtered pictures are missing from the
 * predictions, or replaced by the reason.
 */
export const imagen: PicturesDialect = {
  write(request, unsupported) {
    onlyNew(request)
    onlyBytes(request, unsupported)
    return {
      instances: [{ prompt: request.prompt }],
      parameters: {
        sampleCount: request.count,
        personGeneration: 'allow_adult',
        includeRaiReason: true,
        ...defined({ aspectRatio: nearestShape(request.size, shapes, unsupported) }),
        ...pictureSettings(request, settings, unsupported),
      },
    }
  },
  read: ({ predictions, metadata, usageMetadata }) => ({
    pictures: objectsOf(predictions)
      .filter(isPicture)
      .map((prediction) => ({ base64: textIn(prediction.bytesBase64Encoded), prompt: textIn(prediction.prompt) })),
    usage: usageStated('predict', { metadata, usageMetadata }),
  }),
  errorOf({ predictions, error }) {
    const all = objectsOf(predictions)
    if (error !== undefined || all.some(isPicture)) return undefined
    return noPictures(all.map(({ raiFilteredReason: reason }) => textIn(reason)).find((reason) => reason !== undefined))
  },
}
