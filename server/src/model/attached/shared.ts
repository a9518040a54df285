/** The rows that customers and partners see of what they are attached to, as SQL over `t`. */
export const sharedAlone = 't.is_shared and not t.is_private'
