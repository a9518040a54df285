/** How many documents are joined into one at most. */
export const mostJoined = 20
