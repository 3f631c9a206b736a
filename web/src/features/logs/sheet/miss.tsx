import { missText, useCacheMissMessages } from '../../../components/cache-miss/cache-miss.ts'
import type { CacheMiss } from '../../../lib/api/contract.ts'
import { formatInteger } from '../../../lib/text/format.ts'
import classes from './log-sheet.module.css'
import { useLogSheetMessages } from './messages.ts'

/** How much of a prompt a cache could have had and had not, and why. */
export const Miss = ({ miss }: { miss: CacheMiss }) => {
  const saySheet = useLogSheetMessages()
  const sayMiss = useCacheMissMessages()
  return (
    <p className={classes.miss}>
      {miss.tokens > 0 && <strong>{saySheet('missed', { tokens: formatInteger(miss.tokens) })}</strong>}{' '}
      {missText(miss, sayMiss)}
    </p>
  )
}
