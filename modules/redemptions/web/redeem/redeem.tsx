import { Button, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { ApiError } from '#web/lib/api/api.ts'
import { calls } from '#web/lib/api/contract.ts'
import { onDemand } from '#web/lib/loading/on-demand.tsx'
import { useAction } from '#web/lib/query.ts'
import { useStatus } from '#web/lib/status.ts'
import { useRedeemMessages } from './messages.ts'
import classes from './redeem.module.css'

/** Why a payment or a code went wrong: the server's words, or that there was no answer. */
const useFailureText = (): ((error: unknown) => string) => {
  const say = useRedeemMessages()
  return (error) => {
    if (!(error instanceof ApiError)) throw error
    return error.status === 0 ? say('requestFailed') : error.message
  }
}

const RedeemedDialog = onDemand(async () => (await import('./redeemed-dialog.tsx')).RedeemedDialog)

/** Leads to the shop of codes. */
const GetCode = ({ link }: { link: string }) => {
  const say = useRedeemMessages()
  return (
    <Button component="a" href={link} target="_blank" rel="noopener">
      {say('getCode')}
    </Button>
  )
}

/** Exchanges a code for quota. */
export const Redeem = () => {
  const say = useRedeemMessages()
  const failureText = useFailureText()
  const { top_up_link: link } = useStatus()
  const [key, setKey] = useState('')
  const [refused, setRefused] = useState<string>()
  const [added, setAdded] = useState<number>()
  const redeem = useAction(calls.redeemCode, {
    done: say('redeemed'),
    refresh: [calls.getSelf, calls.listOwnLedger],
    onDone: (quota) => {
      setAdded(quota)
      setKey('')
      setRefused(undefined)
    },
  })

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    if (key.trim() === '') return setRefused(say('codeRequired'))
    await redeem.submit({ body: { key: key.trim() } }).catch((error: unknown) => setRefused(failureText(error)))
  }
  return (
    <section className={`panel ${classes.section}`} aria-labelledby="redeem-title">
      <h2 id="redeem-title">{say('redeemTitle')}</h2>
      <form noValidate className={classes.redeem} onSubmit={(event) => void submit(event)}>
        <TextInput
          aria-label={say('code')}
          placeholder={say('code')}
          autoComplete="off"
          spellCheck={false}
          classNames={{ input: 'mono' }}
          value={key}
          error={refused}
          onChange={(event) => {
            setKey(event.currentTarget.value)
            setRefused(undefined)
          }}
        />
        {link && <GetCode link={link} />}
        <Button type="submit" variant="filled" disabled={redeem.busy}>
          {redeem.busy ? say('redeeming') : say('redeem')}
        </Button>
      </form>
      {!link && <p className={`faint ${classes.noLink}`}>{say('noLink')}</p>}
      {added !== undefined && <RedeemedDialog quota={added} onClose={() => setAdded(undefined)} />}
    </section>
  )
}
