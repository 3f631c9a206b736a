import { type Headers, headerText } from '#server/relay/upstream/upstream.ts'
import type { VideoVariant } from './providers/video-provider.ts'

/** Request of a client for a video, or a part of it. */
export interface ContentRequest {
  readonly variant: VideoVariant
  /** The `Range` header; undefined where the client wants all. */
  readonly range: string | undefined
}

/** Types of videos and of their previews, none of which can hold scripts. */
const contentTypes = /^(video\/[\w.+-]+|image\/(png|jpeg|webp|gif)|application\/octet-stream)/

const usualType: Readonly<Record<VideoVariant, string>> = {
  video: 'video/mp4',
  thumbnail: 'image/webp',
  spritesheet: 'image/jpeg',
}

/** True for a status whose answer is content. */
export const isContent = (status: number): boolean => status === 200 || status === 206

/** The head for the client: what tells bytes apart, and nothing else of the provider's. */
export const contentHead = (headers: Headers, variant: VideoVariant): string[] => {
  const [type = usualType[variant]] = contentTypes.exec(headerText(headers, 'content-type').toLowerCase()) ?? []
  const named = ['content-length', 'content-range', 'accept-ranges', 'last-modified', 'etag']
  return [
    'Content-Type',
    type === 'application/octet-stream' ? usualType[variant] : type,
    ...named.flatMap((name) => {
      const value = headerText(headers, name)
      return value === '' ? [] : [name, value]
    }),
  ]
}
