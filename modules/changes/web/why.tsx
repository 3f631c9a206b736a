import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Icon } from '#web/components/display/icon.tsx'
import { useShortMomentText } from '#web/components/display/time/time-text.tsx'
import { useFigurePage } from '#web/components/figure-link.ts'
import { type ChangeReport, type ChangeTermShown, calls, role } from '#web/lib/api/contract.ts'
import { useSession } from '#web/lib/api/session.ts'
import { useEndpoint } from '#web/lib/query.ts'
import { useStatus } from '#web/lib/status.ts'
import { useTimeReader, zoneName } from '#web/lib/time/time-zone.ts'
import { useAmountText } from './amount.ts'
import { ChangeHead } from './head.tsx'
import { MarginLine } from './margin-line.tsx'
import { useChangeMessages } from './messages.ts'
import { termText } from './sentence.ts'
import { termLink } from './term-link.ts'
import { TermRows } from './term-rows.tsx'
import classes from './why.module.css'

const Term = ({ term, report }: { readonly term: ChangeTermShown; readonly report: ChangeReport }) => {
  const say = useChangeMessages()
  const moment = useShortMomentText()
  const page = useFigurePage()
  const amount = useAmountText()
  const [isOpen, setOpen] = useState(false)
  const text = termText(term, report, { say, moment })
  return (
    <li>
      <p className={classes.term}>
        <b className="num" data-amount={term.amount} data-more={term.amount > 0 || undefined}>
          {amount(term.amount)}
        </b>
        {page === undefined ? <span>{text}</span> : <Link to={page.hrefOf(termLink(term, term, report))}>{text}</Link>}
        <button type="button" aria-label={say('parts')} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <Icon name="down" size={14} />
        </button>
      </p>
      {isOpen && <TermRows term={term} report={report} />}
    </li>
  )
}

interface WhyProps {
  /** True for the calls of the reader alone, also where an operator reads. */
  readonly own: boolean
}

const Why = ({ own }: WhyProps) => {
  const say = useChangeMessages()
  const { zone } = useTimeReader()
  const { enable_data_export: enabled } = useStatus()
  // Both have the same shape; only who may ask differs.
  const endpoint = (own ? calls.getOwnChanges : calls.getChanges) as typeof calls.getChanges
  const { data: report, isError } = useEndpoint(endpoint, { query: { zone: zoneName(zone) } }, { enabled })
  if (!enabled || isError) return null
  return (
    <section
      className={`panel ${classes.why}`}
      aria-label={say('title')}
      aria-busy={report === undefined || undefined}
      data-short={report?.terms.length === 0 || undefined}
    >
      <ChangeHead report={report} />
      {report?.margin && <MarginLine margin={report.margin} report={report} />}
      {report !== undefined && report.terms.length > 0 && (
        <ol className={classes.terms} data-calm={report.calm || undefined}>
          {report.terms.map((term) => (
            <Term key={`${term.effect} ${JSON.stringify(term.filters)}`} term={term} report={report} />
          ))}
        </ol>
      )}
    </section>
  )
}

/** Why the charges of yesterday differ from the usual ones: of the site for operators, of own calls for others. */
export const WhyItChanged = () => <Why own={(useSession()?.role ?? 0) < role.admin} />

/** The same for the calls of the reader alone, also where an operator reads. */
export const OwnWhyItChanged = () => <Why own={true} />
