import classes from './uptime-bars.module.css'

const step = 4
const bar = 3
const height = 14
/** From here on a day is called good, or at least fair. */
const [good, fair] = [0.999, 0.99]

type Tone = 'good' | 'fair' | 'bad' | 'none'
const tones = ['good', 'fair', 'bad', 'none'] as const satisfies readonly Tone[]

const toneOf = (share: number | null): Tone => {
  if (share === null) return 'none'
  if (share >= good) return 'good'
  return share >= fair ? 'fair' : 'bad'
}

/** A bar per day: green, amber, red, or grey for a day without calls. `label` says the same in words. */
export const UptimeBars = ({ days, label }: { days: readonly (number | null)[]; label: string }) => (
  <svg
    className={classes.bars}
    viewBox={`0 0 ${Math.max(1, days.length) * step - 1} ${height}`}
    preserveAspectRatio="none"
    role="img"
    aria-label={label}
  >
    {tones.map((tone) => (
      <path
        key={tone}
        data-tone={tone}
        d={days
          .map((share, place) => (toneOf(share) === tone ? `M${place * step} 0h${bar}v${height}h${-bar}z` : ''))
          .join('')}
      />
    ))}
  </svg>
)
