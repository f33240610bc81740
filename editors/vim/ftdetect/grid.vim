autocmd BufRead,BufNewFile *.grid setfiletype grid
