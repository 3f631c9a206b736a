import { isTimeZone } from '@tollgate/contract/time-zone'
import { useMemo } from 'react'
import { useLanguage } from '../i18n.ts'
import { preferencesStore, usePreferences } from '../preferences/preferences.ts'
import type { TimeReader } from '../text/format-time.ts'

/** A zone that this browser does not know is left to its own. */
const usable = (zone: string | undefined): string | undefined =>
  zone !== undefined && isTimeZone(zone) ? zone : undefined

/** The zone in which times are shown and ranges are meant; undefined is the browser's own. */
export const useTimeZone = (): string | undefined => usable(usePreferences().time_zone)

/** The same outside of drawing. */
export const timeZone = (): string | undefined => usable(preferencesStore.get().all.time_zone)

let ownName: string | undefined

/** The display name of a zone; undefined is the browser's own. */
export const zoneName = (zone: string | undefined): string => {
  // Asked for by every moment in a list, and slow to find out.
  ownName ??= new Intl.DateTimeFormat().resolvedOptions().timeZone
  return zone ?? ownName
}

/** The language and the zone in which the reader reads moments; the same object until one of them changes. */
export const useTimeReader = (): TimeReader => {
  const language = useLanguage()
  const zone = useTimeZone()
  return useMemo(() => ({ language, zone }), [language, zone])
}
