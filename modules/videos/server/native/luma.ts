import { isObject, type JsonObject, membersOf, textIn } from '#server/dialects/conversation/json.ts'
import type { NativeApi, NativeBegin, VideoRequest } from '../providers/video-provider.ts'
import { invalidMember, missing, promptIn, segmentOf, wordIn } from './members.ts'

const resolutions = ['540p', '720p', '1080p', '4k']
const ratios = ['16:9', '9:16', '1:1', '4:3', '3:4', '21:9', '9:21']
const durations = Array.from({ length: 30 }, (_, index) => `${index + 1}s`)

/** Refuses frames of other generations: they are objects of the account, and a longer video has a price of its own. */
const checkFrames = ({ keyframes }: JsonObject): void => {
  if (keyframes === undefined || keyframes === null) return
  const frames = isObject(keyframes) ? Object.values(membersOf(keyframes)) : [keyframes]
  if (!frames.every((frame) => isObject(frame) && frame.type === 'image' && frame.id === undefined))
    throw invalidMember('keyframes', 'pictures alone')
}

const read = (body: JsonObject): VideoRequest => {
  checkFrames(body)
  return {
    prompt: promptIn(body, 'prompt'),
    // The API has defaults of its own, which differ by model.
    seconds: Number.parseInt(wordIn(body, 'duration', durations) ?? missing('duration'), 10),
    resolution: wordIn(body, 'resolution', resolutions) ?? missing('resolution'),
    ratio: wordIn(body, 'aspect_ratio', ratios),
  }
}

const begin = (path: string): NativeBegin => ({
  path,
  model: 'model',
  members: new Set(['prompt', 'duration', 'resolution', 'aspect_ratio', 'keyframes', 'loop', 'callback_url']),
  read,
  idIn: ({ id, state }) => (state === 'failed' ? undefined : textIn(id)),
})

/** Luma's own calls: docs.lumalabs.ai/docs/video-generation; github.com/lumalabs/lumaai-node, `src/resources/generations`. */
export const lumaNative: NativeApi = {
  begins: ['/dream-machine/v1/generations', '/dream-machine/v1/generations/video'].map(begin),
  lookedFor: (path) => segmentOf(/^\/dream-machine\/v1\/generations\/([^/]+)$/.exec(path)?.[1]),
}
