import { Skeleton } from '@mantine/core'
import { useMomentText } from '../../components/display/time/time-text.tsx'
import { Section } from '../../components/panel-section.tsx'
import { onDemand } from '../../lib/loading/on-demand.tsx'
import { useTimeZone, zoneName } from '../../lib/time/time-zone.ts'
import { usePersonalMessages } from './messages.ts'

const ZoneSelect = onDemand(
  async () => (await import('./zone-select.tsx')).ZoneSelect,
  () => <Skeleton h={80} />,
)

/** In which time zone the console shows times and means ranges; kept for the person. */
export const TimeZone = () => {
  const say = usePersonalMessages()
  const zone = useTimeZone()
  const moment = useMomentText()
  return (
    <Section id="time-zone" title={say('timeZone')}>
      <ZoneSelect />
      <p className="muted">
        {say('timeZoneNow', { zone: zoneName(zone) })} <span className="num">{moment(Date.now() / 1000)}</span>
      </p>
    </Section>
  )
}
