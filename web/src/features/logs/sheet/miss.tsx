import { missText, useCacheMissMessages } from '../../../components/cache-miss/cache-miss.ts'
import type { CacheMiss } from '../../../lib/api/contract.ts'
import { formatInteger } from '../../../lib/text/format.ts'
import { useLogMessages } from '../messages.ts'
import classes from './log-sheet.module.css'

/** How much of a prompt a cache could have had and had not, and why. */
export const Miss = ({ miss }: { miss: CacheMiss }) => {
  const say = useLogMessages()
  const sayMiss = useCacheMissMessages()
  return (
    <p className={classes.miss}>
      {miss.tokens > 0 && <strong>{say('missed', { tokens: formatInteger(miss.tokens) })}</strong>}{' '}
      {missText(miss, sayMiss)}
    </p>
  )
}
