/** First match wins. `types` limits a row to these channel types. */
const rows: readonly { from: number; to: number; retry: boolean; types?: readonly number[] }[] = [
  { from: 429, to: 429, retry: true },
  { from: 307, to: 307, retry: true },
  { from: 504, to: 504, retry: false },
  { from: 524, to: 524, retry: false },
  { from: 500, to: 599, retry: true },
  { from: 400, to: 400, retry: true, types: [14] },
  { from: 400, to: 400, retry: false },
  { from: 408, to: 408, retry: false },
  { from: 200, to: 299, retry: false },
]

/** True if another channel may help after an upstream answered with this status, the channel's mapping applied. */
export const mayRetry = (status: number, channelType: number): boolean =>
  rows.find(({ from, to, types }) => status >= from && status <= to && (types?.includes(channelType) ?? true))?.retry ??
  true
