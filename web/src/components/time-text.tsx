import { Tooltip } from '@mantine/core'
import { formatDateTime, formatRelative } from '../lib/format.ts'
import { useLanguage } from '../lib/i18n.ts'
import { useTimeZone, zoneName } from '../lib/time-zone.ts'
import { useUiWords } from './messages.ts'

/**
 * A moment in unix seconds. `relative` shows how long ago with the moment on hover; otherwise the other way round.
 * 0 means never happened, −1 never expires.
 */
export const TimeText = ({ at, relative = false }: { at: number; relative?: boolean }) => {
  const say = useUiWords()
  const language = useLanguage()
  const zone = useTimeZone()
  if (at === -1) return <span>{say('never')}</span>
  if (at <= 0) return <span className="faint">{say('none')}</span>
  const moment = formatDateTime(at, zone)
  const ago = formatRelative(at, Date.now() / 1000, language)
  return (
    <Tooltip label={relative ? `${moment} ${zoneName(zone)}` : `${ago} · ${zoneName(zone)}`}>
      <time dateTime={new Date(at * 1000).toISOString()} className="num">
        {relative ? ago : moment}
      </time>
    </Tooltip>
  )
}
