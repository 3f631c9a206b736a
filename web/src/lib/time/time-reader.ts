import { useMemo } from 'react'
import { useLanguage } from '../i18n.ts'
import type { TimeReader } from '../text/format-time.ts'
import { useTimeZone } from './time-zone.ts'

/** The language and the zone in which the reader reads moments; the same object until one of them changes. */
export const useTimeReader = (): TimeReader => {
  const language = useLanguage()
  const zone = useTimeZone()
  return useMemo(() => ({ language, zone }), [language, zone])
}
