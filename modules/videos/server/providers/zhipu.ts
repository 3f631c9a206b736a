import { membersOf, objectsOf, textIn, textOf } from '#server/dialects/conversation/json.ts'
import { assertNoRemix, bearer, contentAtUrl, failedLook, getAsk, imageUrl, jsonAsk, variantsOf } from './shapes.ts'
import type { VideoProvider } from './video-provider.ts'

const usualSeconds = 5
const usualSize = '1280x720'

/** CogVideoX, and Vidu at Zhipu: docs.bigmodel.cn/api-reference (videos/generations, async-result); docs.z.ai/api-reference/video. */
export const zhipu: VideoProvider = {
  name: 'zhipu',
  channelTypes: [16, 26],
  headers: bearer,
  spec: ({ seconds = usualSeconds, size = usualSize, quality }) => ({
    seconds,
    size,
    variants: variantsOf(size, quality),
  }),
  create(request, model) {
    assertNoRemix(request, model)
    const { prompt, image, seconds = usualSeconds, size = usualSize, quality, sound } = request
    return jsonAsk('/api/paas/v4/videos/generations', {
      model,
      prompt,
      size,
      duration: seconds,
      quality,
      with_audio: sound,
      image_url: image && imageUrl(image, model),
    })
  },
  idIn: ({ id }) => textIn(id),
  look: (id) => getAsk(`/api/paas/v4/async-result/${encodeURIComponent(id)}`),
  readLook(answer) {
    switch (textOf(answer.task_status)) {
      case 'PROCESSING':
        return { state: 'in_progress' }
      case 'SUCCESS': {
        const url = textIn(objectsOf(answer.video_result)[0]?.url)
        return url === undefined ? undefined : { state: 'completed', place: { url } }
      }
      case 'FAIL':
        return failedLook(membersOf(answer.error))
      default:
        return undefined
    }
  },
  content: contentAtUrl,
}
