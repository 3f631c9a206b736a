import { usageStated } from '../../billing/declared/usage-stated.ts'
import { defined, objectsOf, textIn } from '../../dialects/conversation/json.ts'
import { onlyNew, onlyOne, type PicturesDialect, pictureSettings } from '../../dialects/media/pictures.ts'
import type { Provider } from '../provider.ts'

const settings: Readonly<Record<string, string>> = {
  quality: 'quality',
  watermark_enabled: 'watermark_enabled',
  user_id: 'user_id',
}

/** CogView and GLM-Image (docs.bigmodel.cn/api-reference): one picture per call, as a URL. */
const zhipuPictures: PicturesDialect = {
  write(request, unsupported) {
    onlyNew(request)
    onlyOne(request, unsupported)
    return {
      model: request.model,
      prompt: request.prompt,
      ...defined({ size: request.size }),
      ...pictureSettings(request, settings, unsupported),
    }
  },
  read: ({ data, usage }) => ({
    pictures: objectsOf(data).map(({ url }) => ({ url: textIn(url) })),
    usage: usageStated('openai', usage),
  }),
}

export const pictures: NonNullable<Provider['pictures']> = {
  path: '/v1/images/generations',
  dialect: () => zhipuPictures,
}
