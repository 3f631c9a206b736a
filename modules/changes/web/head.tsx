import type { ChangeReport } from '#web/lib/api/contract.ts'
import { useLanguage } from '#web/lib/i18n.ts'
import { useStatus } from '#web/lib/status.ts'
import { formatQuota } from '#web/lib/text/format.ts'
import { formatWeekday } from '#web/lib/text/format-time.ts'
import { useTimeZone } from '#web/lib/time/time-zone.ts'
import { useAmountText } from './amount.ts'
import { useChangeMessages } from './messages.ts'
import classes from './why.module.css'

/** The whole difference, or that there is none, and what it is compared with. Has its height before the report is there. */
export const ChangeHead = ({ report }: { readonly report: ChangeReport | undefined }) => {
  const say = useChangeMessages()
  const status = useStatus()
  const amount = useAmountText()
  const reader = { language: useLanguage(), zone: useTimeZone() }
  const title = <h2>{say('title')}</h2>
  if (report === undefined) return <div className={classes.head}>{title}</div>
  const { reference, kind, usual, difference, now, calm } = report
  if (reference.length === 0)
    return (
      <div className={classes.head}>
        {title}
        <p className="muted">{say('nothingBefore')}</p>
      </div>
    )
  const day = formatWeekday(report.from, reader)
  const calmText = kind === 'weekday' ? say('calmDay', { day }) : say('calm')
  const count = reference.length
  const against = { weekday: say('usualDay', { count, day }), days: say('usualDays', { count }), before: say('before') }
  return (
    <div className={classes.head}>
      {title}
      <p>
        <b className="num" data-amount={difference}>
          {calm ? calmText : amount(difference)}
        </b>{' '}
        <span className="muted num">
          {say(kind === 'before' ? 'previously' : 'usually', {
            now: formatQuota(now.quota, status),
            usual: formatQuota(usual, status),
          })}{' '}
          · {against[kind]}
        </span>
      </p>
    </div>
  )
}
