import type { Source } from './conversation.ts'

const pattern = /^data:([^;,]*)(?:;[^,]*?)?;base64,/

/** Reads `data:image/png;base64,…` or a URL. */
export const sourceOfUrl = (url: string): Source => {
  const match = pattern.exec(url.slice(0, 200))
  if (match === null) return { kind: 'url', url }
  return { kind: 'base64', mediaType: match[1] ?? '', data: url.slice(match[0].length) }
}

export const dataUrl = ({ mediaType, data }: { mediaType: string; data: string }): string =>
  `data:${mediaType || 'application/octet-stream'};base64,${data}`
