import { calls } from '../../lib/api/contract.ts'
import { defineMessages } from '../../lib/i18n.ts'
import { useEndpoint } from '../../lib/query.ts'
import classes from '../notices/notices.module.css'

/** Messages for operators of two gateways that use one database and do not share a Redis. */
const useNeighbourMessages = defineMessages('neighbours', {
  zh: {
    title: '两个网关共用一个数据库',
    here: '此网关（{{node}}）拒绝所有调用：{{serving}} 正在使用同一数据库，且两者没有共用 Redis。',
    others: '以下网关拒绝调用：{{nodes}}。它们与此网关使用同一数据库，但没有共用 Redis。',
    mend: '请停止其中一个，或为两者设置相同的 REDIS_CONN_STRING。',
  },
  en: {
    title: 'Two gateways share one database',
    here: 'This gateway ({{node}}) is refusing requests: {{serving}} uses the same database without a shared Redis.',
    others: 'These gateways are refusing requests: {{nodes}}. They use the same database without a shared Redis.',
    mend: 'Stop one of them, or set the same REDIS_CONN_STRING on both.',
  },
})

const everyMs = 30_000

/** Says to operators, on every page, that this gateway or another one refuses calls, and what to do. */
export const NeighboursNotice = () => {
  const say = useNeighbourMessages()
  const { data } = useEndpoint(calls.getNeighbours, {}, { staleTimeMs: everyMs, refreshEveryMs: everyMs })
  if (data === undefined) return null
  const { node, serving, refusing } = data
  const isHere = serving !== ''
  if (!isHere && refusing.length === 0) return null
  return (
    <section className={classes.notice} aria-label={say('title')} role="alert">
      {isHere ? say('here', { node, serving }) : say('others', { nodes: refusing.join(', ') })} {say('mend')}
    </section>
  )
}
