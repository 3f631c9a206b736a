import { formatPercent } from '../../lib/text/format.ts'
import classes from './progress-text.module.css'

interface ProgressTextProps {
  /** As services say it: `45%`, or words. */
  text: string
  failed: boolean
  label: string
}

/** The progress of a task as a bar with its number; text that is not a percentage is shown unchanged. */
export const ProgressText = ({ text, failed, label }: ProgressTextProps) => {
  const [, digits] = /^(\d{1,3})%$/.exec(text.trim()) ?? []
  if (digits === undefined) return <span className="num">{text || '—'}</span>
  const percent = Math.min(100, Number(digits))
  return (
    <span className={classes.progress} data-failed={failed || undefined}>
      <progress value={percent} max={100} aria-label={label} />
      <span className="num">{formatPercent(percent / 100, 0)}</span>
    </span>
  )
}
