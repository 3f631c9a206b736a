import type { MediaSource } from './conversation.ts'

const pattern = /^data:([^;,]*)(?:;[^,]*?)?;base64,/

/** Reads `data:image/png;base64,…` or a URL. */
export const sourceOfUrl = (url: string): MediaSource => {
  const match = pattern.exec(url.slice(0, 200))
  if (match === null) return { kind: 'url', url }
  return { kind: 'base64', mediaType: match[1] ?? '', data: url.slice(match[0].length) }
}

const base64 = /^[A-Za-z0-9+/_-]{16,}[A-Za-z0-9+/=_-]*$/

/** The content of a file: a data URL, a URL, or bare base64, whose type is the one of most files. */
export const sourceOfFile = (data: string): MediaSource => {
  const source = sourceOfUrl(data)
  if (source.kind !== 'url' || !base64.test(data.slice(0, 64))) return source
  return { kind: 'base64', mediaType: 'application/pdf', data }
}

export const dataUrl = ({ mediaType, data }: { mediaType: string; data: string }): string =>
  `data:${mediaType || 'application/octet-stream'};base64,${data}`
