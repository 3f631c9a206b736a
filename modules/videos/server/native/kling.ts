import { type JsonObject, membersOf, textIn } from '#server/dialects/conversation/json.ts'
import type { NativeApi, NativeBegin, VideoRequest } from '../providers/video-provider.ts'
import { promptIn, secondsIn, segmentOf, wordIn } from './members.ts'

const modes = ['std', 'pro', '4k']
const usualSeconds = 5

const everywhere = [
  ...['prompt', 'negative_prompt', 'cfg_scale', 'mode', 'duration', 'aspect_ratio'],
  ...['callback_url', 'external_task_id', 'watermark_info'],
]
const shots = ['multi_shot', 'shot_type', 'multi_prompt']

/**
 * Members by kind of task. Voices are not among them, which have a price of their own that no list states, nor elements, which are objects
 * of the account.
 */
const membersOfKinds: Readonly<Record<string, readonly string[]>> = {
  text2video: [...everywhere, ...shots, 'sound', 'camera_control'],
  image2video: [
    ...[...everywhere, ...shots, 'sound', 'camera_control'],
    ...['image', 'image_tail', 'static_mask', 'dynamic_masks'],
  ],
  'multi-image2video': [...everywhere, 'image_list'],
}

const read = (body: JsonObject): VideoRequest => {
  const sound = wordIn(body, 'sound', ['on', 'off'])
  return {
    prompt: promptIn(body, 'prompt'),
    seconds: secondsIn(body, 'duration') ?? usualSeconds,
    quality: wordIn(body, 'mode', modes) ?? 'std',
    ratio: wordIn(body, 'aspect_ratio', ['16:9', '9:16', '1:1']),
    sound: sound === undefined ? undefined : sound === 'on',
  }
}

const begin = ([kind, members]: readonly [string, readonly string[]]): NativeBegin => ({
  path: `/v1/videos/${kind}`,
  model: 'model_name',
  members: new Set(members),
  read,
  idIn({ code, data }) {
    const id = textIn(membersOf(data).task_id)
    return code === 0 && id !== undefined && id !== '' ? `${kind}/${id}` : undefined
  },
})

const look = new RegExp(`^/v1/videos/(${Object.keys(membersOfKinds).join('|')})/([^/]+)$`)

/** Kling's own calls: kling.ai/document-api/apiReference/model, textToVideo, imageToVideo and multiImageToVideo. */
export const klingNative: NativeApi = {
  begins: Object.entries(membersOfKinds).map(begin),
  lookedFor(path) {
    const [, kind, segment] = look.exec(path) ?? []
    const id = segmentOf(segment)
    return kind === undefined || id === undefined ? undefined : `${kind}/${id}`
  },
}
