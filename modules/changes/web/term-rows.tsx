import { Link } from '@tanstack/react-router'
import { useFigurePage } from '#web/components/figure-link.ts'
import type { ChangeReport, ChangeTermRow, ChangeTermShown } from '#web/lib/api/contract.ts'
import { useAmountText } from './amount.ts'
import { useChangeMessages } from './messages.ts'
import { termLink } from './term-link.ts'
import classes from './why.module.css'

/** The parts of a term, each with a link to its figures; they add up to the term. */
export const TermRows = ({ term, report }: { readonly term: ChangeTermShown; readonly report: ChangeReport }) => {
  const say = useChangeMessages()
  const amount = useAmountText()
  const page = useFigurePage()
  const nameOf = ({ key, name, owner }: ChangeTermRow): string => {
    if (key === '') return say('rest')
    if (term.by === undefined) return say(`effect_${key}` as 'effect_calls')
    if (term.by !== 'key') return name || `#${key}`
    const own = key === '0' ? say('playground') : name || `#${key}`
    return owner === undefined ? own : say('keyOf', { user: owner, key: own })
  }
  return (
    <ul className={classes.rows}>
      {term.rows.map((row) => (
        <li key={`${row.key} ${row.owner ?? ''}`}>
          <span className="num" data-amount={row.amount}>
            {amount(row.amount)}
          </span>
          {page === undefined || row.key === '' ? (
            <span>{nameOf(row)}</span>
          ) : (
            <Link to={page.hrefOf(termLink(term, row, report))}>{nameOf(row)}</Link>
          )}
        </li>
      ))}
    </ul>
  )
}
