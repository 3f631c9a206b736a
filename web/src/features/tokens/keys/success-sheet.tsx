import { Button } from '@mantine/core'
import { CopyDialog, CopyText, useCopy } from '../../../components/copy/copy-text.tsx'
import { Sheet } from '../../../components/sheet.tsx'
import type { Token } from '../../../lib/api/contract.ts'
import { useTokenMessages } from '../messages.ts'
import classes from '../tokens.module.css'
import { Snippets } from '../use-token.tsx'
import { keyLines } from './copy-keys.ts'

/** New keys, ready to be copied and used. */
export const SuccessSheet = ({
  tokens,
  rotated = false,
  onClose,
}: {
  tokens: readonly Token[]
  /** An old token under a new key. */
  rotated?: boolean
  onClose: () => void
}) => {
  const say = useTokenMessages()
  const { copy, byHand } = useCopy()
  const keys = tokens.map((token) => ({ ...token, key: `sk-${token.key}` }))
  const [first] = keys
  return (
    <Sheet
      opened
      onClose={onClose}
      title={say(rotated ? 'rotated' : 'successTitle')}
      subtitle={rotated ? first?.name : say('successMany', { count: keys.length })}
      footer={
        <>
          {keys.length > 1 && (
            <Button onClick={() => void copy(keyLines(keys), { secret: true })}>{say('copyAll')}</Button>
          )}
          <Button variant="filled" onClick={onClose} ml="auto">
            {say('done')}
          </Button>
        </>
      }
    >
      <div className={classes.success}>
        <p className="muted">{say(rotated ? 'rotatedText' : 'successText')}</p>
        <ul className={classes.keys}>
          {keys.map((token) => (
            <li key={token.id}>
              <small>{token.name}</small>
              <CopyText text={token.key} name={token.name} secret />
            </li>
          ))}
        </ul>
        {first && <Snippets token={first} apiKey={first.key} />}
      </div>
      <CopyDialog {...byHand} />
    </Sheet>
  )
}
