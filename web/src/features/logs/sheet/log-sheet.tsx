import { ActionIcon } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { BesideSheet } from '../../../components/beside-sheet.tsx'
import { CopyText } from '../../../components/copy/copy-text.tsx'
import { Facts, FactsHeading } from '../../../components/display/facts.tsx'
import { Hint } from '../../../components/display/hint.tsx'
import { Icon } from '../../../components/display/icon.tsx'
import { useMomentText } from '../../../components/display/time/time-text.tsx'
import { Logo } from '../../../components/logo/logo.tsx'
import { EmptyState } from '../../../components/states.tsx'
import type { LogEntry } from '../../../lib/api/contract.ts'
import { logType } from '../../../lib/api/contract.ts'
import { onDemand } from '../../../lib/loading/on-demand.tsx'
import { formatInteger, formatPercent } from '../../../lib/text/format.ts'
import { useLogMessages } from '../messages.ts'
import {
  attemptsOf,
  cachedShare,
  cachedTokens,
  firstTokenMs,
  isRequest,
  lostFields,
  otherOf,
  totalMs,
} from '../other.ts'
import { PriceSource, ReceiptPanel } from '../receipt/receipt-panel.tsx'
import { Waterfall } from '../receipt/waterfall.tsx'
import classes from './log-sheet.module.css'
import { type SaySheet, useLogSheetMessages } from './messages.ts'
import { Failure, Overview, SheetStrip } from './overview.tsx'
import { Parameters } from './parameters.tsx'
import { UpstreamCost } from './upstream-cost.tsx'

const Candidates = onDemand(async () => (await import('./candidates.tsx')).Candidates)
const Miss = onDemand(async () => (await import('./miss.tsx')).Miss)

/** For rows of older databases, which kept the ratios only. */
const ratioText = (log: LogEntry, saySheet: SaySheet): string => {
  const other = otherOf(log)
  const group = other.group_ratio ?? 1
  if ((other.model_price ?? -1) >= 0) return saySheet('fixedPrice', { price: `$${other.model_price ?? 0}`, group })
  if (other.model_ratio === undefined) return saySheet('noReceipt')
  return saySheet('ratios', { model: other.model_ratio, completion: other.completion_ratio ?? 1, group })
}

const Charge = ({ log }: { log: LogEntry }) => {
  const say = useLogMessages()
  const saySheet = useLogSheetMessages()
  const { receipt } = otherOf(log)
  return (
    <>
      <FactsHeading aside={receipt && <PriceSource receipt={receipt} />}>{say('receipt')}</FactsHeading>
      {receipt ? <ReceiptPanel receipt={receipt} /> : <p className={classes.note}>{ratioText(log, saySheet)}</p>}
    </>
  )
}

const Cache = ({ log }: { log: LogEntry }) => {
  const say = useLogMessages()
  const saySheet = useLogSheetMessages()
  const share = cachedShare(log)
  const { cache_creation_tokens: written = 0, cache_miss: miss } = otherOf(log)
  if (share === undefined && written === 0 && miss === undefined) return null
  return (
    <>
      <FactsHeading>{say('cached')}</FactsHeading>
      {miss !== undefined && <Miss miss={miss} />}
      <Facts
        facts={[
          share !== undefined && {
            label: saySheet('cacheRead'),
            value: (
              <span className="num">
                {formatInteger(cachedTokens(log))} · {formatPercent(share, 0)}
              </span>
            ),
          },
          written > 0 && {
            label: saySheet('cacheWritten'),
            value: <span className="num">{formatInteger(written)}</span>,
          },
        ]}
      />
    </>
  )
}

/** The fields that the provider, or the client, has no place for. */
const Changes = ({ log }: { log: LogEntry }) => {
  const say = useLogMessages()
  const saySheet = useLogSheetMessages()
  const fields = lostFields(log)
  if (fields.length === 0) return null
  return (
    <>
      <FactsHeading>{saySheet('changed')}</FactsHeading>
      <ul className={classes.changes}>
        {fields.map((field) => (
          <li key={field}>
            <span className="mono">{field}</span>
            <span className="muted">{say('dropped')}</span>
          </li>
        ))}
      </ul>
    </>
  )
}

const Body = ({ log, isAdmin }: { log: LogEntry; isAdmin: boolean }) => {
  const say = useLogMessages()
  const saySheet = useLogSheetMessages()
  const attempts = attemptsOf(log)
  return (
    <>
      <Overview log={log} isAdmin={isAdmin} />
      {log.type === logType.error && (
        <>
          <FactsHeading>{say('error')}</FactsHeading>
          <Failure log={log} />
        </>
      )}
      {attempts.length > 0 && (
        <>
          <FactsHeading>{say('attempts')}</FactsHeading>
          <Waterfall
            attempts={attempts}
            wholeMs={totalMs(log)}
            firstMs={log.is_stream ? firstTokenMs(log) : undefined}
          />
        </>
      )}
      {log.type === logType.consume && <Charge log={log} />}
      {log.type === logType.consume && isAdmin && <UpstreamCost log={log} />}
      <Cache log={log} />
      {isAdmin && <Candidates log={log} />}
      <Parameters log={log} />
      <Changes log={log} />
      <FactsHeading>{saySheet('ids')}</FactsHeading>
      <Facts
        facts={[
          log.request_id !== '' && {
            label: say('requestId'),
            value: <CopyText text={log.request_id} name={say('requestId')} />,
          },
          { label: saySheet('logId'), value: <CopyText text={String(log.id)} name={saySheet('logId')} /> },
          log.ip !== '' && { label: say('ip'), value: <CopyText text={log.ip} name={say('ip')} /> },
        ]}
      />
    </>
  )
}

interface LogSheetProps {
  log: LogEntry | undefined
  /** The requested id, for the message that it was not found. */
  wanted: string
  loading: boolean
  error: unknown
  isAdmin: boolean
  onClose: () => void
  /** The row in the list, where it is there. */
  returnTo: () => HTMLElement | null
  onPrevious: (() => void) | undefined
  onNext: (() => void) | undefined
}

/** Everything that is known of one log row; j, k and the arrow keys go through the page. */
export const LogSheet = (props: LogSheetProps) => {
  const saySheet = useLogSheetMessages()
  const moment = useMomentText()
  const { log, onPrevious, onNext } = props
  const [previous, next] = [(): void => onPrevious?.(), (): void => onNext?.()]
  useHotkeys([
    ['ArrowLeft', previous],
    ['ArrowRight', next],
    ['ArrowUp', previous],
    ['ArrowDown', next],
    ['k', previous],
    ['j', next],
  ])
  const step = (label: string, icon: 'up' | 'down', go: (() => void) | undefined) => (
    <Hint label={label}>
      <ActionIcon aria-label={label} disabled={!go} onClick={go}>
        <Icon name={icon} />
      </ActionIcon>
    </Hint>
  )
  const isCall = log !== undefined && isRequest(log) && log.model_name !== ''
  const name = isCall ? log.model_name : saySheet('sheetTitle')
  return (
    <BesideSheet
      onClose={props.onClose}
      returnTo={props.returnTo}
      name={name}
      title={isCall ? <span className={classes.model}>{name}</span> : name}
      {...(isCall && { mark: <Logo of={{ model: name }} name={name} size={28} /> })}
      subtitle={
        log && (
          <span className="num">
            {moment(log.created_at)}
            {log.request_id !== '' && <span className="mono"> · {log.request_id}</span>}
          </span>
        )
      }
      loading={props.loading}
      error={props.error}
      actions={
        <span className={classes.nav}>
          {step(saySheet('previous'), 'up', onPrevious)}
          {step(saySheet('next'), 'down', onNext)}
        </span>
      }
      strip={log && <SheetStrip log={log} />}
    >
      {log ? (
        <Body log={log} isAdmin={props.isAdmin} />
      ) : (
        !props.loading && <EmptyState icon="document" title={saySheet('notFound', { id: props.wanted })} />
      )}
    </BesideSheet>
  )
}
