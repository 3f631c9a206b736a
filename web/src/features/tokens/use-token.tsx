import { Button } from '@mantine/core'
import { CopyText } from '../../components/copy/copy-text.tsx'
import { Icon } from '../../components/display/icon.tsx'
import { useModelOf, useRevealed } from '../../components/first-calls/calling-facts.ts'
import { FirstCalls } from '../../components/first-calls/first-calls.tsx'
import { Sheet } from '../../components/sheet.tsx'
import type { Token } from '../../lib/api/contract.ts'
import { useMark } from '../../lib/preferences/preferences.ts'
import { useTokenMessages } from './messages.ts'
import classes from './tokens.module.css'

/** First calls with this key. */
export const Snippets = ({ token, apiKey }: { token: Token; apiKey: string }) => {
  const [, setCopied] = useMark('address-copied')
  return <FirstCalls model={useModelOf(token)} apiKey={apiKey} onCopyAddress={() => setCopied(true)} />
}

/** Instructions for calls with a key; the key stays masked until the user asks to see it. */
export const UseToken = ({ token, onClose }: { token: Token; onClose: () => void }) => {
  const say = useTokenMessages()
  const { key, busy, show } = useRevealed(token.id)
  return (
    <Sheet opened onClose={onClose} title={say('useTitle')} subtitle={token.name}>
      <div className={classes.success}>
        {key === undefined ? (
          <p className={classes.masked}>
            <span className="muted">{say('useMasked')}</span>
            <Button leftSection={<Icon name="eye" size={14} />} loading={busy} onClick={() => void show()}>
              {say('useReveal')}
            </Button>
          </p>
        ) : (
          <CopyText text={key} name={token.name} secret />
        )}
        <Snippets token={token} apiKey={key ?? `sk-${token.key}`} />
      </div>
    </Sheet>
  )
}
