import { calls } from '../../lib/api/contract.ts'
import { useEndpoint } from '../../lib/query.ts'
import classes from '../notices/notices.module.css'
import { useNeighbourMessages } from './messages.ts'

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
