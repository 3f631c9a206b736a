import { membersOf, objectsOf, textIn, textOf } from '#server/dialects/conversation/json.ts'
import { assertNoRemix, bearer, contentAtUrl, imageUrl, jsonAsk, variantsOf } from './shapes.ts'
import type { VideoProvider } from './video-provider.ts'

/** Its models make videos of this length alone, and are sold by the video. */
const seconds = 5
const usualSize = '1280x720'

/** docs.siliconflow.cn/cn/api-reference/videos: videos_submit and get_videos_status. */
export const siliconflow: VideoProvider = {
  name: 'siliconflow',
  channelTypes: [40],
  headers: bearer,
  spec: ({ size = usualSize }) => ({ seconds, size, variants: variantsOf(size) }),
  create(request, model) {
    assertNoRemix(request, model)
    const { prompt, image, size = usualSize, negativePrompt, seed } = request
    return jsonAsk('/v1/video/submit', {
      model,
      prompt,
      image_size: size,
      negative_prompt: negativePrompt,
      image: image && imageUrl(image, model),
      seed,
    })
  },
  idIn: ({ requestId }) => textIn(requestId),
  look: (id) => jsonAsk('/v1/video/status', { requestId: id }),
  readLook(answer) {
    switch (textOf(answer.status)) {
      case 'InQueue':
        return { state: 'queued' }
      case 'InProgress':
        return { state: 'in_progress' }
      case 'Succeed': {
        const url = textIn(objectsOf(membersOf(answer.results).videos)[0]?.url)
        return url === undefined ? undefined : { state: 'completed', place: { url } }
      }
      case 'Failed':
        return { state: 'failed', code: 'generation_failed', message: textOf(answer.reason) }
      default:
        return undefined
    }
  },
  content: contentAtUrl,
}
