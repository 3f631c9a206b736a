import { Select } from '@mantine/core'
import { preferencesStore } from '../../lib/preferences/preferences.ts'
import { useTimeZone, zoneName } from '../../lib/time/time-zone.ts'
import { usePersonalMessages } from './messages.ts'

const own = 'browser'
/** The most zones that are listed before the user types; there are some hundred. */
const mostListed = 60

/** The names that this browser lists and the chosen one, which it may list by another name; UTC is separate. */
const zonesWith = (chosen: string | undefined): string[] =>
  [...new Set([...Intl.supportedValuesOf('timeZone'), ...(chosen === undefined ? [] : [chosen])])].filter(
    (zone) => zone !== 'UTC',
  )

/** Chooses among the browser's own zone, UTC and some hundred others. */
export const ZoneSelect = () => {
  const say = usePersonalMessages()
  const zone = useTimeZone()
  return (
    <Select
      label={say('timeZoneLabel')}
      description={say('timeZoneHint')}
      searchable
      allowDeselect={false}
      limit={mostListed}
      nothingFoundMessage={say('timeZoneNone')}
      value={zone ?? own}
      onChange={(value) => preferencesStore.change({ time_zone: value === own || value === null ? null : value })}
      data={[
        { value: own, label: say('timeZoneBrowser', { zone: zoneName(undefined) }) },
        { value: 'UTC', label: 'UTC' },
        ...zonesWith(zone).map((name) => ({ value: name, label: name.replaceAll('_', ' ') })),
      ]}
    />
  )
}
