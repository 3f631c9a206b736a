import type { NotificationData } from '@mantine/notifications'
import { ApiError, isGivenUp } from './api/api.ts'
import { connectionStore } from './api/connection.ts'
import { defineMessages } from './i18n.ts'
import { loadInPlace } from './loading/load-part.ts'
import { createStore } from './preferences/store.ts'
import { errorText } from './text/error-text.ts'

/** Words about how a call went. */
export const useNotifyMessages = defineMessages('notify', {
  zh: {
    requestId: '请求 ID：{{id}}',
    copy: '复制详情',
    copied: '已复制',
    close: '关闭',
    again: '已重新连接到服务器，请再试一次',
  },
  en: {
    requestId: 'Request ID: {{id}}',
    copy: 'Copy details',
    copied: 'Copied',
    close: 'Close',
    again: 'Reconnected. Try again.',
  },
})

const doneMs = 3000

const FailureBody = ({ message, requestId }: { message: string; requestId: string }) => {
  const say = useNotifyMessages()
  const details = requestId === '' ? message : `${message}\n${requestId}`
  return (
    <>
      <span className="notify-text">{message}</span>
      {requestId !== '' && <span className="notify-id mono">{say('requestId', { id: requestId })}</span>}
      <button type="button" className="text-button" onClick={() => void navigator.clipboard?.writeText(details)}>
        {say('copy')}
      </button>
    </>
  )
}

/** True once there was a notification: from then on the shell renders notifications. */
export const hasNotified = createStore(false)

/** Waits for the server while the connection is down. */
const load = () => loadInPlace(() => import('@mantine/notifications'))

/** Says something over the page, which nothing does at first: the package comes with the first words. */
const notify = async (notification: NotificationData): Promise<void> => {
  const { notifications } = await load()
  notifications.show(notification)
  hasNotified.set(true)
}

const closeButton = () => ({ 'aria-label': useNotifyMessages.say('close') })

/** Says that something worked; goes away by itself. */
export const notifyDone = (message: string): void => {
  void notify({
    message,
    color: 'var(--good)',
    autoClose: doneMs,
    role: 'status',
    closeButtonProps: closeButton(),
  })
}

/** A remark that is neither success nor failure. */
export const notifyInfo = (message: string): void => {
  void notify({
    message,
    color: 'var(--info)',
    autoClose: doneMs * 2,
    role: 'status',
    closeButtonProps: closeButton(),
  })
}

const isUnreached = (error: unknown): boolean => error instanceof ApiError && error.code === 'network'

/** Takes away what the bar of the page says too, when that goes. */
const hideOnceConnected = (id: string): void => {
  const stop = connectionStore.subscribe(() => {
    stop()
    void load().then(({ notifications }) => notifications.hide(id))
  })
}

const showFailure = (error: unknown): void => {
  const message = errorText(error)
  const requestId = error instanceof ApiError ? error.requestId : ''
  const id = `failure:${message}`
  if (isUnreached(error)) hideOnceConnected(id)
  void notify({
    id,
    message: <FailureBody message={message} requestId={requestId} />,
    color: 'var(--bad)',
    autoClose: false,
    role: 'alert',
    closeButtonProps: closeButton(),
  })
}

/** Says it with words that first have to come over the line that is down: then nothing is left but to try again. */
const showUnreached = async (error: unknown): Promise<void> => {
  await load()
  if (connectionStore.get()) notifyInfo(useNotifyMessages.say('again'))
  else showFailure(error)
}

/** Reports a failure; it stays until closed, is announced, and its details can be copied. What the user gave up is none. */
export const notifyFailure = (error: unknown): void => {
  if (isGivenUp(error)) return
  if (isUnreached(error)) void showUnreached(error)
  else showFailure(error)
}

const offerMs = 10_000

/** Reports a change and offers what to do next, for ten seconds. */
export const notifyOffer = (message: string, label: string, act: () => void): void => {
  const id = `offer:${message}`
  const accept = (): void => {
    void load().then(({ notifications }) => notifications.hide(id))
    act()
  }
  void notify({
    id,
    color: 'var(--good)',
    autoClose: offerMs,
    role: 'status',
    closeButtonProps: closeButton(),
    message: (
      <>
        <span className="notify-text">{message}</span>
        <button type="button" className="text-button" onClick={accept}>
          {label}
        </button>
      </>
    ),
  })
}
