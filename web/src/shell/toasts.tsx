import { Notifications } from '@mantine/notifications'
import '@mantine/core/styles/CloseButton.css'
import '@mantine/core/styles/Notification.css'
import '../styles/parts/Notification.css'
import '@mantine/notifications/styles.css'
import classes from './toasts.module.css'

/**
 * The console's notifications, at most four at a time, where they cover neither the head of a page nor that of a sheet, nor
 * the buttons of an open sheet or dialog.
 */
export const Toasts = () => (
  <Notifications position="bottom-right" limit={4} zIndex={500} classNames={{ root: classes.toasts ?? '' }} />
)
