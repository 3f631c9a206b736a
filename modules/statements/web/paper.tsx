import type { ReactNode } from 'react'
import { ScreenParts } from '#web/components/parts/screen-parts.tsx'
import { ScrollFrame } from '#web/components/scroll-frame.tsx'
import type { Statement } from '#web/lib/api/contract.ts'
import { useLanguage } from '#web/lib/i18n.ts'
import { useStatus } from '#web/lib/status.ts'
import { formatInteger } from '#web/lib/text/format.ts'
import { formatDay, formatMoment } from '#web/lib/text/format-time.ts'
import { reasonText, type SayStatement, useStatementMessages } from './messages.ts'
import classes from './statements.module.css'
import { monthName } from './view.ts'

const exact = new Intl.NumberFormat('en-US', { minimumFractionDigits: 6, maximumFractionDigits: 6 })

/** Quota units to the last digit: a statement that rounds does not add up. */
const useAmountText = (): ((quota: number) => string) => {
  const { display_in_currency, quota_per_unit } = useStatus()
  return (quota) => {
    const size = Math.abs(quota)
    const text = display_in_currency ? `$${exact.format(size / quota_per_unit)}` : formatInteger(size)
    return quota < 0 ? `−${text}` : text
  }
}

const Amount = ({ value }: { value: number }) => {
  const text = useAmountText()
  return <span className={`num ${classes.amount}`}>{text(value)}</span>
}

const Head = ({ statement, say }: { statement: Statement; say: SayStatement }) => {
  const { system_name } = useStatus()
  const language = useLanguage()
  const { user, zone } = statement
  const moment = (at: number): string => formatMoment(at, { language, zone }, true)
  return (
    <header className={classes.paperHead}>
      <div>
        <p className={classes.site}>{system_name}</p>
        <h2>{say('statementOf', { month: monthName(statement.month, language) })}</h2>
      </div>
      <dl className={classes.facts}>
        <dt>{say('account')}</dt>
        <dd>
          {user === null ? (
            say('allUsers')
          ) : (
            <>
              {user.display_name || user.username} <span className="faint num">#{user.id}</span>
              {user.deleted && <span className="faint"> · {say('cancelled')}</span>}
            </>
          )}
        </dd>
        <dt>{say('period')}</dt>
        <dd className="num">{say('periodText', { from: moment(statement.from), to: moment(statement.to), zone })}</dd>
      </dl>
    </header>
  )
}

const Table = (props: { label: string; children: ReactNode }) => (
  <ScrollFrame label={props.label} className={classes.frame}>
    <table className={classes.table} aria-label={props.label}>
      {props.children}
    </table>
  </ScrollFrame>
)

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className={classes.part}>
    <h3>{title}</h3>
    {children}
  </section>
)

interface Line {
  readonly name: string
  readonly count?: number
  readonly amount: number
  readonly strong?: true
}

const Sums = ({ label, lines, say }: { label: string; lines: readonly Line[]; say: SayStatement }) => (
  <Table label={label}>
    <thead>
      <tr>
        <th scope="col">{say('item')}</th>
        <th scope="col">{say('count')}</th>
        <th scope="col">{say('amount')}</th>
      </tr>
    </thead>
    <tbody>
      {lines.map(({ name, count, amount, strong }) => (
        <tr key={name} data-strong={strong}>
          <th scope="row">{name}</th>
          <td className="num">{count === undefined ? '' : formatInteger(count)}</td>
          <td>
            <Amount value={amount} />
          </td>
        </tr>
      ))}
    </tbody>
  </Table>
)

const movementLines = (movements: Statement['movements'], say: SayStatement): Line[] =>
  movements.map(({ reason, count, amount }) => ({ name: reasonText(reason, say), count, amount }))

const balanceLines = (statement: Statement, say: SayStatement): Line[] => [
  { name: say('opening'), amount: statement.opening, strong: true },
  ...movementLines(statement.movements, say),
  { name: say('charges'), count: statement.charges.count, amount: 0 - statement.charges.quota },
  { name: say(statement.complete ? 'closing' : 'closingSoFar'), amount: statement.closing, strong: true },
]

type ChargeRow = Statement['charges'] & {
  readonly id: string
  readonly name: ReactNode
}

const Charges = (props: { head: string; label: string; rows: readonly ChargeRow[]; total: Statement['charges'] }) => {
  const say = useStatementMessages()
  const cells = (row: Statement['charges']) => (
    <>
      <td className="num">{formatInteger(row.count)}</td>
      <td className={`num ${classes.tokens}`}>{formatInteger(row.prompt_tokens)}</td>
      <td className={`num ${classes.tokens}`}>{formatInteger(row.completion_tokens)}</td>
      <td>
        <Amount value={0 - row.quota} />
      </td>
    </>
  )
  return (
    <Table label={props.label}>
      <thead>
        <tr>
          <th scope="col">{props.head}</th>
          <th scope="col">{say('calls')}</th>
          <th scope="col" className={classes.tokens}>
            {say('promptTokens')}
          </th>
          <th scope="col" className={classes.tokens}>
            {say('completionTokens')}
          </th>
          <th scope="col">{say('amount')}</th>
        </tr>
      </thead>
      <tbody>
        {props.rows.map((row) => (
          <tr key={row.id}>
            <th scope="row">{row.name}</th>
            {cells(row)}
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">{say('total')}</th>
          {cells(props.total)}
        </tr>
      </tfoot>
    </Table>
  )
}

const Days = ({ statement, say }: { statement: Statement; say: SayStatement }) => {
  const language = useLanguage()
  return (
    <Table label={say('byDay')}>
      <thead>
        <tr>
          <th scope="col">{say('day')}</th>
          <th scope="col" className={classes.text}>
            {say('item')}
          </th>
          <th scope="col">{say('count')}</th>
          <th scope="col">{say('amount')}</th>
        </tr>
      </thead>
      <tbody>
        {statement.days.map(({ at, reason, count, amount }) => (
          <tr key={`${at} ${reason}`}>
            <th scope="row" className={`num ${classes.date}`}>
              {formatDay(at, { language, zone: statement.zone })}
            </th>
            <td className={classes.text}>{reasonText(reason, say)}</td>
            <td className="num">{formatInteger(count)}</td>
            <td>
              <Amount value={amount} />
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  )
}

/** A statement as it is printed: the sums, then the charges by model and by key, then the other movements by day. */
export const Paper = ({ statement }: { statement: Statement }) => {
  const say = useStatementMessages()
  const { earnings, models, keys, charges } = statement
  const earned = earnings.opening !== 0 || earnings.movements.length > 0
  const keyName = (key: Statement['keys'][number]): string =>
    key.token_id === 0 ? say('playground') : key.name || `#${key.token_id}`
  return (
    <article className={`panel ${classes.paper}`}>
      <Head statement={statement} say={say} />
      <ScreenParts place="about a statement" about={`${statement.from}..${statement.to}@${statement.user?.id ?? ''}`} />
      <Part title={say('summary')}>
        <Sums label={say('summary')} lines={balanceLines(statement, say)} say={say} />
        {!statement.complete && <p className={classes.note}>{say('monthLasts')}</p>}
      </Part>
      <Part title={say('byModel')}>
        {models.length === 0 ? (
          <p className={classes.note}>{say('noCharges')}</p>
        ) : (
          <Charges
            head={say('model')}
            label={say('byModel')}
            total={charges}
            rows={models.map((model) => ({
              ...model,
              id: model.model,
              name: model.model === '' ? say('unknownModel') : <span className="mono">{model.model}</span>,
            }))}
          />
        )}
      </Part>
      {keys.length > 0 && (
        <Part title={say('byKey')}>
          <Charges
            head={say('key')}
            label={say('byKey')}
            total={charges}
            rows={keys.map((key) => ({ ...key, id: String(key.token_id), name: keyName(key) }))}
          />
        </Part>
      )}
      {statement.days.length > 0 && (
        <Part title={say('byDay')}>
          <Days statement={statement} say={say} />
        </Part>
      )}
      {earned && (
        <Part title={say('earnings')}>
          <Sums
            label={say('earnings')}
            say={say}
            lines={[
              { name: say('opening'), amount: earnings.opening, strong: true },
              ...movementLines(earnings.movements, say),
              { name: say('closing'), amount: earnings.closing, strong: true },
            ]}
          />
        </Part>
      )}
      <p className={classes.note}>{say('unitText')}</p>
    </article>
  )
}
