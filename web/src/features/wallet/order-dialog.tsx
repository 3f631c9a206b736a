import { Button, Group, Modal } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Quota, useQuotaText } from '../../components/display/quota.tsx'
import { useUiMessages } from '../../components/messages.ts'
import { useOrderMessages } from '../../components/orders/messages.ts'
import { methodName } from '../../components/orders/methods.ts'
import { OrderStatus } from '../../components/orders/order-columns.tsx'
import { calls, type TopUpOrder } from '../../lib/api/contract.ts'
import { useEndpoint } from '../../lib/query.ts'
import { useWalletMessages } from './messages.ts'
import { hasForm, openForm } from './post-form.ts'
import { Receipt } from './receipt.tsx'
import { Waiting } from './waiting.tsx'
import classes from './wallet.module.css'

const askAgainMs = 3000

const Order = ({ order }: { order: TopUpOrder }) => {
  const say = useWalletMessages()
  const sayOrder = useOrderMessages()
  const quotaText = useQuotaText()
  const cache = useQueryClient()
  const paid = order.status === 'success'
  // Refreshes the cache: the server has credited the order since it was read.
  useEffect(() => {
    if (!paid) return
    for (const { method, path } of [calls.getSelf, calls.listOwnOrders, calls.listOwnLedger])
      void cache.invalidateQueries({ queryKey: [method, path] })
  }, [paid, cache])
  const text =
    order.status === 'pending'
      ? say('waitingText')
      : order.status === 'expired'
        ? say('expiredText')
        : say('paidText', { quota: quotaText(order.quota) })
  return (
    <div className={classes.order}>
      <p aria-live="polite">{text}</p>
      <dl>
        <dt>{sayOrder('status')}</dt>
        <dd>
          <OrderStatus status={order.status} />
        </dd>
        <dt>{sayOrder('quota')}</dt>
        <dd>
          <Quota value={order.quota} />
        </dd>
        <dt>{sayOrder('money')}</dt>
        <dd className="num">{sayOrder('moneyValue', { money: order.money })}</dd>
        <dt>{sayOrder('method')}</dt>
        <dd>{methodName(order.payment_method, sayOrder)}</dd>
        <dt>{sayOrder('tradeNo')}</dt>
        <dd className={`mono ${classes.number}`}>{order.trade_no}</dd>
      </dl>
    </div>
  )
}

/** One order, watched until it is paid. */
export const OrderDialog = ({ tradeNo, onClose }: { tradeNo: string; onClose: () => void }) => {
  const say = useWalletMessages()
  const ui = useUiMessages()
  const [watching, setWatching] = useState(true)
  const list = useEndpoint(
    calls.listOwnOrders,
    { query: { p: 1, page_size: 1, trade_no: tradeNo } },
    { staleTimeMs: 0, ...(watching ? { refreshEveryMs: askAgainMs } : {}) },
  )
  const order = list.data?.items.find((entry) => entry.trade_no === tradeNo)
  const paid = order?.status === 'success'
  if (watching && paid) setWatching(false)
  const pending = order !== undefined && !paid
  return (
    <Modal
      opened
      onClose={onClose}
      title={<strong className="strong">{say(paid ? 'paidTitle' : 'waitingTitle')}</strong>}
      closeButtonProps={{ 'aria-label': ui('close') }}
    >
      {order ? (
        <Order order={order} />
      ) : list.data ? (
        <p>{say('orderUnknown', { order: tradeNo })}</p>
      ) : (
        <Waiting error={list.error} retry={list.refetch} />
      )}
      {paid && <Receipt order={order} />}
      <Group justify="flex-end" mt="lg" gap={8}>
        {paid && <Button onClick={() => window.print()}>{say('printReceipt')}</Button>}
        {pending && hasForm(tradeNo) && <Button onClick={() => openForm(tradeNo)}>{say('openAgain')}</Button>}
        <Button variant="filled" onClick={onClose} data-autofocus>
          {say('close')}
        </Button>
      </Group>
    </Modal>
  )
}
