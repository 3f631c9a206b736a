import { usageStated } from '../../billing/declared/usage-stated.ts'
import { defined, type JsonObject, objectsOf, textIn } from '../../dialects/conversation/json.ts'
import {
  onlyOne,
  type PicturesDialect,
  type PicturesRequest,
  pictureSettings,
  pictureUrl,
} from '../../dialects/media/pictures.ts'
import type { Provider } from '../provider.ts'

const settings: Readonly<Record<string, string>> = {
  negative_prompt: 'negative_prompt',
  num_inference_steps: 'num_inference_steps',
  guidance_scale: 'guidance_scale',
  seed: 'seed',
  cfg: 'cfg',
  image_size: 'image_size',
}

/** True for the one model that draws several pictures per call. */
const drawsSeveral = (model: string): boolean => /kolors/i.test(model)

/** Up to three source pictures, as `image`, `image2` and `image3`. */
const imagesOf = ({ images }: PicturesRequest): JsonObject => {
  const names = ['image', 'image2', 'image3']
  return Object.fromEntries(
    names.flatMap((name, at) => (images[at] === undefined ? [] : [[name, pictureUrl(images[at])]])),
  )
}

/** SiliconFlow's pictures (docs.siliconflow.cn/api-reference/images/images-generations). The URLs expire after an hour. */
const siliconflowPictures: PicturesDialect = {
  write(request, unsupported) {
    const several = drawsSeveral(request.model)
    if (!several) onlyOne(request, unsupported)
    return {
      model: request.model,
      prompt: request.prompt,
      ...defined({ image_size: request.size }),
      ...(several ? { batch_size: request.count } : {}),
      ...pictureSettings(request, settings, unsupported),
      ...imagesOf(request),
    }
  },
  read: (json) => ({
    pictures: objectsOf(json.images ?? json.data).map(({ url }) => ({ url: textIn(url) })),
    usage: usageStated('openai', json.usage),
  }),
}

const path = '/v1/images/generations'

export const pictures: NonNullable<Provider['pictures']> = {
  path,
  edits: path,
  dialect: () => siliconflowPictures,
}
