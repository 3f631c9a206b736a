import { useLanguage } from '../../lib/i18n.ts'
import { formatDate, formatDateTime, formatRelative } from '../../lib/text/format.ts'
import { useCurrentMinute } from '../../lib/time/current-minute.ts'
import { useTimeZone, zoneName } from '../../lib/time/time-zone.ts'
import { useUiMessages } from '../messages.ts'
import { Hint } from './hint.tsx'

/** Leaves the date out of moments of today. */
const withoutToday = (moment: string, zone: string | undefined): string => {
  const today = formatDate(Date.now() / 1000, zone)
  return moment.startsWith(today) ? moment.slice(today.length + 1) : moment
}

/** Time since a moment; it updates by itself. */
const Ago = ({ at }: { at: number }) => formatRelative(at, useCurrentMinute(), useLanguage())

interface TimeTextProps {
  /** Unix seconds; 0 means never happened, −1 never expires. */
  at: number
  /** Shows how long ago, with the moment on hover; otherwise the other way round. */
  relative?: boolean
  /** For dense lists: moments of today without their date, which is on hover. */
  brief?: boolean
}

/** A moment, or how long ago it was. */
export const TimeText = ({ at, relative = false, brief = false }: TimeTextProps) => {
  const say = useUiMessages()
  const zone = useTimeZone()
  if (at === -1) return <span>{say('never')}</span>
  if (at <= 0) return <span className="faint">{say('none')}</span>
  const moment = formatDateTime(at, zone)
  const ago = <Ago at={at} />
  const full = `${moment} ${zoneName(zone)}`
  return (
    <Hint
      label={
        relative || brief ? (
          full
        ) : (
          <>
            {ago} · {zoneName(zone)}
          </>
        )
      }
    >
      <time dateTime={new Date(at * 1000).toISOString()} className="num">
        {relative ? ago : brief ? withoutToday(moment, zone) : moment}
      </time>
    </Hint>
  )
}
