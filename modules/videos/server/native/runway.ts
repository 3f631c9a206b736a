import { type JsonObject, textIn } from '#server/dialects/conversation/json.ts'
import type { NativeApi, NativeBegin, VideoRequest } from '../providers/video-provider.ts'
import { flagIn, missing, promptIn, secondsIn, segmentOf, wordIn } from './members.ts'

const ratios = [
  ...['1280:720', '720:1280', '1104:832', '832:1104', '960:960', '1584:672'],
  ...['1280:768', '768:1280', '1920:1080', '1080:1920'],
]

const read =
  (image: VideoRequest['image']) =>
  (body: JsonObject): VideoRequest => {
    const ratio = wordIn(body, 'ratio', ratios) ?? missing('ratio')
    return {
      prompt: promptIn(body, 'promptText'),
      // The API has defaults of its own, which differ by model and call.
      seconds: secondsIn(body, 'duration') ?? missing('duration'),
      size: ratio.replace(':', 'x'),
      sound: flagIn(body, 'audio'),
      image,
    }
  }

const everywhere = ['promptText', 'ratio', 'duration', 'seed', 'audio', 'contentModeration']

const begin = (path: string, members: readonly string[], image: VideoRequest['image']): NativeBegin => ({
  path,
  model: 'model',
  members: new Set(members),
  read: read(image),
  idIn: ({ id }) => textIn(id),
})

/** Runway's own calls: github.com/runwayml/sdk-node, `src/resources/text-to-video.ts`, `image-to-video.ts` and `tasks.ts`. */
export const runwayNative: NativeApi = {
  begins: [
    begin('/v1/text_to_video', everywhere, undefined),
    // Its frames are those of videos from a picture, whichever it is.
    begin('/v1/image_to_video', [...everywhere, 'promptImage'], { url: '' }),
  ],
  lookedFor: (path) => segmentOf(/^\/v1\/tasks\/([^/]+)$/.exec(path)?.[1]),
}
