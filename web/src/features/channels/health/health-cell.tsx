import { StatusBadge } from '../../../components/display/status-badge.tsx'
import type { Channel, ChannelHealth, HealthPoint } from '../../../lib/api/contract.ts'
import classes from './health.module.css'
import { healthText, rateText, rateTone } from './health.ts'
import { useHealthMessages } from './health-messages.ts'
import { Sparkline } from './sparkline.tsx'

/** Bars of a row: more would be too thin to tell apart. */
const rowBars = 16

/** Adds neighbouring points up until there are at most `most`. */
export const inPieces = (points: readonly HealthPoint[], most: number): readonly HealthPoint[] => {
  const size = Math.ceil(points.length / most)
  if (size <= 1) return points
  return Array.from({ length: Math.ceil(points.length / size) }, (_, place) => {
    const piece = points.slice(place * size, (place + 1) * size)
    const sum = (of: (point: HealthPoint) => number): number => piece.reduce((all, point) => all + of(point), 0)
    return { time: piece[0]?.time ?? 0, answered: sum(({ answered }) => answered), failed: sum(({ failed }) => failed) }
  })
}

/** The last day of a channel at a glance; opens the details. */
export const HealthCell = (props: {
  channel: Channel
  health: ChannelHealth | undefined
  onOpen: (channel: Channel) => void
}) => {
  const say = useHealthMessages()
  const { channel, health } = props
  const text = healthText(health, say)
  if (!health || health.calls === 0) {
    return (
      <button
        type="button"
        className={`${classes.cell} faint`}
        aria-label={say('open', { name: channel.name, text: say('none') })}
        onClick={() => props.onOpen(channel)}
      >
        {say('none')}
      </button>
    )
  }
  return (
    <button
      type="button"
      className={classes.cell}
      title={text}
      aria-label={say('open', { name: channel.name, text })}
      onClick={() => props.onOpen(channel)}
    >
      <Sparkline points={inPieces(health.points, rowBars)} label={text} />
      <span className={`num ${classes.rate}`} data-tone={rateTone(health.success_rate)}>
        {rateText(health.success_rate)}
      </span>
    </button>
  )
}

/** Says when models of a channel are left out of routing. */
export const AvoidedBadge = ({ health }: { health: ChannelHealth | undefined }) => {
  const say = useHealthMessages()
  if (!health || health.avoided === 0) return null
  return <StatusBadge tone="warn" label={say('avoided', { count: health.avoided })} hint={say('avoidedHint')} />
}
