import { ApiError } from '../../lib/api/api.ts'
import { connectionStore } from '../../lib/api/connection.ts'
import { useNotifyMessages } from '../../lib/notify.tsx'
import { useStore } from '../../lib/preferences/store.ts'
import { errorText } from '../../lib/text/error-text.ts'
import { Icon } from '../display/icon.tsx'
import { useUiMessages } from '../messages.ts'
import classes from './failure.module.css'

/**
 * Why a form or a dialog could not do what was asked, with the request id where there is one, and a way to copy both. Where the
 * server was not reached, it says when that can be tried again.
 */
export const Failure = ({ error }: { error: unknown }) => {
  const say = useUiMessages()
  const requestId = error instanceof ApiError ? error.requestId : ''
  const notice = useNotifyMessages()
  const isConnected = useStore(connectionStore)
  if (error instanceof ApiError && error.code === 'network' && isConnected)
    return (
      <div className={classes.back} role="status">
        <Icon name="refresh" />
        <span>{notice('again')}</span>
      </div>
    )
  const text = errorText(error)
  const details = requestId === '' ? text : `${text}\n${requestId}`
  return (
    <div className={classes.failure} role="alert">
      <Icon name="warning" />
      <span>
        {text}
        {requestId !== '' && <span className="mono"> {say('requestId', { id: requestId })}</span>}
      </span>
      <button type="button" className="text-button" onClick={() => void navigator.clipboard?.writeText(details)}>
        {say('copyDetails')}
      </button>
    </div>
  )
}
