/**
 * Type and address of a channel for OpenAI's requests, from an address that `/chat/completions` follows: type 1 adds `/v1` itself; any
 * other address becomes a whole one of the custom type 8, for chats only.
 */
export const openaiAddress = (base: string): { readonly type: 1 | 8; readonly baseUrl: string } => {
  const address = base.trim().replace(/\/+$/, '')
  if (address === '') return { type: 1, baseUrl: '' }
  if (address.endsWith('/v1')) return { type: 1, baseUrl: address.slice(0, -'/v1'.length) }
  return { type: 8, baseUrl: `${address}/chat/completions` }
}
