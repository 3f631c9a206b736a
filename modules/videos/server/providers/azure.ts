import { openai } from './openai.ts'
import { imageBytes } from './shapes.ts'
import type { VideoProvider, VideoRequest } from './video-provider.ts'

/** The undated API is served below this path, whatever version the channel names for other calls. */
const root = '/openai'

/** Pictures are sent as files: the documentation has no address of one. */
const withFile = (request: VideoRequest, model: string): VideoRequest => {
  const { image } = request
  if (image === undefined || 'bytes' in image) return request
  const { type, base64 } = imageBytes(image, model)
  const [, ending = 'png'] = type.split('/')
  return { ...request, image: { bytes: Buffer.from(base64, 'base64'), type, name: `picture.${ending}` } }
}

/**
 * Sora at Azure OpenAI: OpenAI's shape at `/openai/v1/videos`, where the model names the deployment. learn.microsoft.com/azure/foundry/openai/
 * concepts/video-generation.
 */
export const azure: VideoProvider = {
  ...openai,
  name: 'azure',
  channelTypes: [3],
  headers: ({ key }) => ({ 'api-key': key }),
  root: ({ channel: { baseUrl } }) => `${baseUrl.replace(/(\/openai)?(\/v1)?\/?$/, '')}${root}`,
  create: (request, model) => openai.create(withFile(request, model), model),
}
