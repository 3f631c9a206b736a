import type { ListRates } from '../book/list-price.ts'
import { zero } from '../decimal.ts'
import type { Rates } from '../price.ts'

/**
 * Rates for every base kind from those that a list names: a part without a price costs what the larger part costs that it belongs
 * to. Sound in a cache costs what the cache does where it has a price, else what sound does.
 */
export const completeRates = (list: ListRates): Rates => {
  const input = list.input ?? zero
  const output = list.output ?? zero
  const cacheRead = list.cache_read ?? input
  const cacheWrite = list.cache_write ?? input
  const soundAlone = list.cache_read === undefined ? list.audio_input : undefined
  const cachedSound = list.audio_cache_read ?? soundAlone
  const pictureAlone = list.cache_read === undefined ? list.image_input : undefined
  const cachedPicture = list.image_cache_read ?? pictureAlone
  return {
    ...list,
    input,
    cache_read: cacheRead,
    cache_write: cacheWrite,
    cache_write_1h: list.cache_write_1h ?? cacheWrite,
    audio_input: list.audio_input ?? input,
    output,
    audio_output: list.audio_output ?? output,
    ...(cachedSound === undefined ? {} : { audio_cache_read: cachedSound }),
    ...(cachedPicture === undefined ? {} : { image_cache_read: cachedPicture }),
  }
}
