import { ownMember } from '@tollgate/contract/own-member'
import { useMemo, useState } from 'react'
import type { Column, Facet } from '../../components/data-table/columns/column.ts'
import { DataTable } from '../../components/data-table/data-table.tsx'
import { readAll } from '../../components/data-table/export/read-all.ts'
import { StatusBadge, type Tone } from '../../components/display/status-badge.tsx'
import { TimeText } from '../../components/display/time/time-text.tsx'
import { UserLink } from '../../components/display/user-link.tsx'
import { type SayOrder, useOrderMessages } from '../../components/orders/messages.ts'
import { Sheet } from '../../components/sheet.tsx'
import { call } from '../../lib/api/api.ts'
import { type CallbackOutcome, callbackOutcomes, calls, type PaymentCallback } from '../../lib/api/contract.ts'
import { useEndpoint } from '../../lib/query.ts'
import { useTableState } from '../../lib/url/table-state.ts'
import { type SayPayment, usePaymentMessages } from './messages.ts'
import classes from './payments.module.css'

const filters = ['outcome', 'trade_no'] as const

const tones: Partial<Record<CallbackOutcome, Tone>> = {
  credited: 'good',
  already: 'neutral',
  not_paid: 'neutral',
  not_configured: 'warn',
  unreachable: 'warn',
  refused: 'warn',
}

const Outcome = ({ outcome, say }: { outcome: CallbackOutcome; say: SayPayment }) => {
  const key = `outcome_${outcome}`
  return (
    <StatusBadge tone={ownMember(tones, outcome) ?? 'bad'} label={usePaymentMessages.has(key) ? say(key) : outcome} />
  )
}

const Signature = ({ callback, say }: { callback: PaymentCallback; say: SayPayment }) => {
  if (callback.source === 'check') return <span className="faint">—</span>
  return callback.verified ? say('signatureRight') : say('signatureWrong')
}

const Owner = ({ callback }: { callback: PaymentCallback }) =>
  callback.user_id > 0 ? (
    <UserLink id={callback.user_id} name={callback.username || `#${callback.user_id}`} />
  ) : (
    <span className="faint">—</span>
  )

const columnsOf = (say: SayPayment, sayOrder: SayOrder): readonly Column<PaymentCallback>[] => [
  {
    id: 'received_time',
    header: say('received'),
    card: 'title',
    cell: (callback) => <TimeText at={callback.received_time} />,
    value: (callback) => new Date(callback.received_time * 1000).toISOString(),
  },
  {
    id: 'outcome',
    header: say('outcome'),
    card: 'title',
    cell: (callback) => <Outcome outcome={callback.outcome} say={say} />,
    value: (callback) => callback.outcome,
  },
  {
    id: 'source',
    header: say('source'),
    cell: (callback) => say(`source_${callback.source}`),
    value: (callback) => callback.source,
  },
  {
    id: 'verified',
    header: say('signature'),
    cell: (callback) => <Signature callback={callback} say={say} />,
    value: (callback) => callback.verified,
  },
  {
    id: 'trade_no',
    header: sayOrder('tradeNo'),
    cell: (callback) => <span className={`mono ${classes.number}`}>{callback.trade_no}</span>,
    value: (callback) => callback.trade_no,
  },
  {
    id: 'username',
    header: sayOrder('user'),
    cell: (callback) => <Owner callback={callback} />,
    value: (callback) => callback.username,
  },
  {
    id: 'ip',
    header: say('ip'),
    cell: ({ ip }) => (ip === '' ? <span className="faint">—</span> : <span className="mono">{ip}</span>),
    value: (callback) => callback.ip,
  },
]

const CallbackDetails = ({ callback, onClose }: { callback: PaymentCallback; onClose: () => void }) => {
  const say = usePaymentMessages()
  return (
    <Sheet opened onClose={onClose} title={say('callbackTitle')} subtitle={<TimeText at={callback.received_time} />}>
      <dl className={classes.details}>
        <dt>{say('outcome')}</dt>
        <dd>
          <Outcome outcome={callback.outcome} say={say} />
        </dd>
        <dt>{say('source')}</dt>
        <dd>{say(`source_${callback.source}`)}</dd>
        <dt>{say('signature')}</dt>
        <dd>
          <Signature callback={callback} say={say} />
        </dd>
        {Object.entries(callback.parameters).map(([name, value]) => (
          <div key={name} className={classes.pair}>
            <dt className="mono">{name}</dt>
            <dd className="mono">{value}</dd>
          </div>
        ))}
      </dl>
    </Sheet>
  )
}

const outcomeFacet = (say: SayPayment): Facet<'outcome'> => ({
  kind: 'choice',
  id: 'outcome',
  label: say('outcome'),
  options: callbackOutcomes.map((value) => ({ value, label: say(`outcome_${value}`) })),
})

/** All notifications of payment gateways, for admins. */
export const Callbacks = () => {
  const say = usePaymentMessages()
  const sayOrder = useOrderMessages()
  const state = useTableState({ name: 'callbacks', filters })
  const callbacks = useEndpoint(calls.listPaymentCallbacks, { query: state.query })
  const columns = useMemo(() => columnsOf(say, sayOrder), [say, sayOrder])
  const [opened, setOpened] = useState<PaymentCallback>()
  return (
    <>
      <DataTable
        title={say('callbacks')}
        columns={columns}
        query={callbacks}
        state={state}
        rowId={(callback) => callback.id}
        rowName={(callback) => `#${callback.id}`}
        search={{ filter: 'trade_no', placeholder: sayOrder('tradeNo') }}
        facets={[outcomeFacet(say)]}
        onOpen={setOpened}
        readRows={() =>
          readAll((p, page_size) => call(calls.listPaymentCallbacks, { query: { ...state.query, p, page_size } }))
        }
        empty={{ icon: 'history', title: say('callbacksEmpty'), text: say('callbacksEmptyText') }}
      />
      {opened && <CallbackDetails callback={opened} onClose={() => setOpened(undefined)} />}
    </>
  )
}
