import type { Pictures } from '../billing/usage.ts'
import type { RelayCall } from './call.ts'

/** Relative to a square of 1024 (relay reference §8.7); other sizes cost the same as that. */
const sizeRatios: Readonly<Record<string, number>> = {
  '256x256': 0.4,
  '512x512': 0.45,
  '1024x1792': 2,
  '1792x1024': 2,
}

const textOf = (value: unknown, otherwise: string): string =>
  typeof value === 'string' && value !== '' ? value : otherwise

/** What a client wants drawn. */
interface Wanted extends Pictures {
  readonly size: string
  readonly quality: string
}

const qualityRatio = (model: string, quality: string, size: string): number => {
  if (model !== 'dall-e-3' || quality !== 'hd') return 1
  return sizeRatios[size] === 2 ? 1.5 : 2
}

/** `model` decides whether quality is paid for; the body has been checked. */
export const wantedPictures = ({ body }: Pick<RelayCall, 'body'>, model: string): Wanted => {
  const size = textOf(body.size, '1024x1024')
  const quality = textOf(body.quality, 'standard')
  const ratio = (sizeRatios[size] ?? 1) * qualityRatio(model, quality, size)
  return { count: typeof body.n === 'number' && body.n > 0 ? body.n : 1, ratio, size, quality }
}

/** As many as came, where the answer says so; never more than were asked for, which is what was held. */
export const deliveredPictures = (wanted: Wanted, answer: Readonly<Record<string, unknown>>): Pictures => {
  const { count, ratio } = wanted
  return { count: Array.isArray(answer.data) ? Math.min(count, answer.data.length) : count, ratio }
}
