import { type JsonObject, textIn } from '#server/dialects/conversation/json.ts'
import type { NativeApi, NativeBegin, VideoRequest } from '../providers/video-provider.ts'
import { flagIn, promptIn, secondsIn, segmentOf, wordIn } from './members.ts'

const resolutions = ['360p', '540p', '720p', '1080p']

/** Models before `viduq1` make four seconds without a statement, and eight with 720p. */
const isOld = (model: string): boolean => /^vidu[12]\./.test(model)

const usualResolution = (model: string, seconds: number): string => {
  if (model.startsWith('viduq1')) return '1080p'
  return isOld(model) && seconds < 8 ? '360p' : '720p'
}

const read = (body: JsonObject, model: string): VideoRequest => {
  const seconds = secondsIn(body, 'duration') ?? (isOld(model) ? 4 : 5)
  return {
    prompt: promptIn(body, 'prompt'),
    seconds,
    resolution: wordIn(body, 'resolution', resolutions) ?? usualResolution(model, seconds),
    ratio: wordIn(body, 'aspect_ratio', ['16:9', '9:16', '3:4', '4:3', '1:1']),
    sound: flagIn(body, 'audio'),
  }
}

const everywhere = [
  ...['prompt', 'duration', 'seed', 'resolution', 'movement_amplitude', 'bgm', 'audio', 'payload'],
  ...['watermark', 'wm_position', 'wm_url', 'meta_data', 'callback_url'],
]

/** Members by call. `off_peak` and recommended prompts are not among them: they have prices of their own that no list states. */
const calls: Readonly<Record<string, readonly string[]>> = {
  text2video: [...everywhere, 'style', 'aspect_ratio'],
  img2video: [...everywhere, 'images', 'voice_id'],
  reference2video: [...everywhere, 'images', 'subjects', 'aspect_ratio'],
  'start-end2video': [...everywhere, 'images'],
}

const begin = ([call, members]: readonly [string, readonly string[]]): NativeBegin => ({
  path: `/ent/v2/${call}`,
  model: 'model',
  members: new Set(members),
  read,
  idIn: ({ task_id, state }) => (state === 'failed' ? undefined : textIn(task_id)),
})

/** Vidu's own calls: platform.vidu.com/docs, text-to-video, image-to-video, reference-to-video, start-end-to-video and get-generation. */
export const viduNative: NativeApi = {
  begins: Object.entries(calls).map(begin),
  lookedFor: (path) => segmentOf(/^\/ent\/v2\/tasks\/([^/]+)\/creations$/.exec(path)?.[1]),
}
