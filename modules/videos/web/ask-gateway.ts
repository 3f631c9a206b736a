import { ApiError, httpError, sendSignedIn } from '#web/lib/api/api.ts'
import { callHeaders } from '#web/lib/api/call-address.ts'
import { errorIn } from '#web/lib/i18n.ts'
import { belowBase } from '#web/lib/url/page-paths.ts'

/** A video as the form orders it; the model's own length and size where they are absent. */
export interface VideoOrder {
  readonly model: string
  readonly prompt: string
  readonly seconds?: number
  readonly size?: string
}

/** The most that a video may cost, in quota units, with the length and size that it would have. */
export interface VideoPrice {
  readonly quota: number
  readonly seconds: number
  readonly size: string
}

interface Refused {
  /** A video has the member, too: null until it fails. */
  readonly error?: { readonly message?: string; readonly code?: string } | null
  readonly message?: string
}

const ask = async <Answer>(path: string, order: VideoOrder, signal?: AbortSignal): Promise<Answer> => {
  const response = await sendSignedIn(belowBase(path), () => ({
    method: 'POST',
    credentials: 'same-origin',
    headers: { ...callHeaders(), 'Content-Type': 'application/json' },
    body: JSON.stringify(order),
    ...(signal ? { signal } : {}),
  }))
  const answer = (await response.json().catch(() => ({}))) as Answer & Refused
  if (response.ok && !answer.error) return answer
  const { message, code = `http_${response.status}` } = answer.error ?? {}
  if (message === undefined) throw httpError(response.status, { message: answer.message ?? '' })
  throw new ApiError(errorIn(code, message), { code, status: response.status })
}

/** Begins a video for the signed-in user. Throws ApiError. */
export const makeVideo = (order: VideoOrder): Promise<{ readonly id: string }> => ask('/pg/videos', order)

/** The price of a video, by the code that holds and charges it. Throws ApiError. */
export const priceOf = (order: VideoOrder, signal: AbortSignal): Promise<VideoPrice> =>
  ask('/pg/videos/price', order, signal)
