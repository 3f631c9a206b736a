import { ActionIcon } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { CopyText } from '../../components/copy/copy-text.tsx'
import { Facts, FactsHeading } from '../../components/display/facts.tsx'
import { Hint } from '../../components/display/hint.tsx'
import { Icon } from '../../components/display/icon.tsx'
import { Sheet } from '../../components/sheet.tsx'
import { EmptyState } from '../../components/states.tsx'
import type { Log } from '../../lib/api/contract.ts'
import { logType } from '../../lib/api/contract.ts'
import { useStatus } from '../../lib/status.ts'
import { formatDateTime, formatQuota } from '../../lib/text/format.ts'
import { useTimeZone } from '../../lib/time/time-zone.ts'
import classes from './log-sheet.module.css'
import { type SayLog, useLogMessages } from './messages.ts'
import { attemptsOf, isRequest, otherOf, totalMs } from './other.ts'
import { Failure, Overview, Timing } from './overview.tsx'
import { ReceiptPanel } from './receipt/receipt-panel.tsx'
import { Waterfall } from './receipt/waterfall.tsx'
import { UpstreamCost } from './upstream-cost.tsx'

/** For rows of older databases, which kept the ratios only. */
const ratioText = (log: Log, say: SayLog): string => {
  const other = otherOf(log)
  const group = other.group_ratio ?? 1
  if ((other.model_price ?? -1) >= 0) return say('fixedPrice', { price: `$${other.model_price ?? 0}`, group })
  if (other.model_ratio === undefined) return say('noReceipt')
  return say('ratios', { model: other.model_ratio, completion: other.completion_ratio ?? 1, group })
}

const Charge = ({ log }: { log: Log }) => {
  const say = useLogMessages()
  const { receipt } = otherOf(log)
  return (
    <>
      <FactsHeading>{say('receipt')}</FactsHeading>
      {receipt ? <ReceiptPanel receipt={receipt} /> : <p className={classes.note}>{ratioText(log, say)}</p>}
    </>
  )
}

const Body = ({ log, isAdmin }: { log: Log; isAdmin: boolean }) => {
  const say = useLogMessages()
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
          <Waterfall attempts={attempts} totalMs={totalMs(log)} />
        </>
      )}
      {isRequest(log) && (
        <>
          <FactsHeading>{say('timing')}</FactsHeading>
          <Timing log={log} />
        </>
      )}
      {log.type === logType.consume && <Charge log={log} />}
      {log.type === logType.consume && isAdmin && <UpstreamCost log={log} />}
      <FactsHeading>{say('ids')}</FactsHeading>
      <Facts
        facts={[
          log.request_id !== '' && {
            label: say('requestId'),
            value: <CopyText text={log.request_id} name={say('requestId')} />,
          },
          { label: say('logId'), value: <CopyText text={String(log.id)} name={say('logId')} /> },
          log.ip !== '' && { label: say('ip'), value: <CopyText text={log.ip} name={say('ip')} /> },
        ]}
      />
    </>
  )
}

const titleOf = (log: Log, amount: string, say: SayLog): string =>
  isRequest(log) && log.model_name !== '' ? `${log.model_name} · ${amount}` : say('sheetTitle')

interface LogSheetProps {
  log: Log | undefined
  /** The requested id, for the message that it was not found. */
  wanted: string
  loading: boolean
  error: unknown
  isAdmin: boolean
  onClose: () => void
  onPrevious: (() => void) | undefined
  onNext: (() => void) | undefined
}

/** Everything that is known of one log row; arrow keys go through the page. */
export const LogSheet = (props: LogSheetProps) => {
  const say = useLogMessages()
  const status = useStatus()
  const zone = useTimeZone()
  const { log, onPrevious, onNext } = props
  useHotkeys([
    ['ArrowLeft', () => onPrevious?.()],
    ['ArrowRight', () => onNext?.()],
  ])
  const arrow = (label: string, icon: 'left' | 'right', go: (() => void) | undefined) => (
    <Hint label={label}>
      <ActionIcon aria-label={label} disabled={!go} onClick={go}>
        <Icon name={icon} />
      </ActionIcon>
    </Hint>
  )
  return (
    <Sheet
      opened
      onClose={props.onClose}
      title={log ? titleOf(log, formatQuota(log.quota, status), say) : say('sheetTitle')}
      subtitle={log && <span className="num">{formatDateTime(log.created_at, zone)}</span>}
      loading={props.loading}
      error={props.error}
      actions={
        <span className={classes.nav}>
          {arrow(say('previous'), 'left', onPrevious)}
          {arrow(say('next'), 'right', onNext)}
        </span>
      }
      width={560}
    >
      {log ? (
        <Body log={log} isAdmin={props.isAdmin} />
      ) : (
        <EmptyState icon="document" title={say('notFound', { id: props.wanted })} />
      )}
    </Sheet>
  )
}
