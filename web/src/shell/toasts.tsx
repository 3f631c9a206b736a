import { Notifications } from '@mantine/notifications'
import '@mantine/core/styles/CloseButton.css'
import '@mantine/core/styles/Notification.css'
import '../styles/parts/Notification.css'
import '@mantine/notifications/styles.css'

/** The console's notifications, at most four at a time. */
export const Toasts = () => <Notifications position="top-center" limit={4} zIndex={500} />
