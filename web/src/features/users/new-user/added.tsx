import { Button } from '@mantine/core'
import { CopyText } from '../../../components/copy/copy-text.tsx'
import { useModelOf } from '../../../components/first-calls/calling-facts.ts'
import { FirstCalls } from '../../../components/first-calls/first-calls.tsx'
import { Sheet } from '../../../components/sheet.tsx'
import { useSiteAddress } from '../../../lib/api/base-url.ts'
import { type addUser, type DataOf, invitationDays } from '../../../lib/api/contract.ts'
import classes from '../users.module.css'
import { useNewUserMessages } from './messages.ts'

type AddedUser = DataOf<typeof addUser>

const anyModel = { model_limits_enabled: false, model_limits: '' }

const NewKey = ({ apiKey }: { apiKey: string }) => {
  const say = useNewUserMessages()
  return (
    <>
      <p className="muted">{say('keyText')}</p>
      <CopyText text={apiKey} name={say('keyName')} secret />
      <FirstCalls model={useModelOf(anyModel)} apiKey={apiKey} />
    </>
  )
}

const InvitationLink = ({ added, email }: { added: AddedUser; email: string }) => {
  const say = useNewUserMessages()
  const query = new URLSearchParams({ id: String(added.id), name: added.username })
  const link = `${useSiteAddress()}/invited?${query}#${added.secret}`
  return (
    <>
      <p className="muted">
        {added.mailed
          ? say('linkMailed', { email, days: invitationDays })
          : say(email === '' ? 'linkText' : 'linkNotMailed', { days: invitationDays })}
      </p>
      <CopyText text={link} name={say('link')} secret />
    </>
  )
}

/** Shows once how the new user gets in: the key with first calls, or the link of the invitation. `email` is empty for none. */
export const AddedUserSheet = (props: { added: AddedUser; email: string; onClose: () => void }) => {
  const say = useNewUserMessages()
  const { added, email, onClose } = props
  return (
    <Sheet
      opened
      onClose={onClose}
      title={say(added.key === '' ? 'linkTitle' : 'keyTitle', { name: added.username })}
      footer={
        <Button variant="filled" onClick={onClose} ml="auto">
          {say('done')}
        </Button>
      }
    >
      <div className={classes.added}>
        {added.key === '' ? <InvitationLink added={added} email={email} /> : <NewKey apiKey={`sk-${added.key}`} />}
      </div>
    </Sheet>
  )
}
