/** Constants of the module's contract that its screens use. */
declare module 'virtual:contract' {
  export { longestWebhookName, longestWebhookUrl, mostWebhooks, webhookEvents } from '@tollgate/contract'
}
