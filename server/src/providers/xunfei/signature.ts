import { createHmac } from 'node:crypto'

/**
 * The signed query of a WebSocket address (www.xfyun.cn/doc/spark/general_url_authentication.html). `now` is
 * milliseconds since 1970.
 */
export const signedQuery = (
  { host, path, now }: { host: string; path: string; now: number },
  { apiKey, apiSecret }: { apiKey: string; apiSecret: string },
): string => {
  const date = new Date(now).toUTCString()
  const text = `host: ${host}\ndate: ${date}\nGET ${path} HTTP/1.1`
  const signature = createHmac('sha256', apiSecret).update(text).digest('base64')
  const authorization = `api_key="${apiKey}", algorithm="hmac-sha256", headers="host date request-line", signature="${signature}"`
  const query = new URLSearchParams({ authorization: Buffer.from(authorization).toString('base64'), date, host })
  return query.toString()
}
