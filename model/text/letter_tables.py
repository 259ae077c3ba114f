"""The kinds and cases of characters in C.UTF-8; `cases` tells how they are written. Written by
tools/generate_letter_tables.py; not edited by hand."""

ALPHA = """
2s oz 24dz.2s -24gr 24gq.2s -24ji 24jh.2s -24m9 24m8.18 8.1c -24p0 24oz.2s -24rr 24rq.2s -24ui 24uh.2s -24x9 24x8.2s
-2500 24zz.2s -252r 252q.2s -25ur p8 255h.2s -2589 2588.2s -25b0 25az.2s -25dr 25dq.5k -25j9 25j8.2i -25lq 25mv.9
-25n4.3 -pi ph.a -pr pq.a -q0 pz.a -q9 q8.a -qi qh.a -qr qq.a -r0 qz.a -r9 r8.a -ri rh.6 2cgu.4 1.7 1.2 1.8 -2chi
2chh.2s -2ck9 2ck8.2s -2cn0 2cmz.2b -2cpa 2cqi.3 h.4 8.14 -2dk9 rq 2csh.2s -2cv9 2cv8.2s -2cy0 2cxz.2s -2d0r 2d0q.1k
-2d2a.6 -s0 rz.7 7tl.6 -7tr 7tq.a -7u0 7tz.a -7u9 7u8.a -8mr s8 7uh.a -7ur 7uq.a -7v0 7uz.a -7v9 7v8.a -7vi 7vh.a -7vr
7vq.a -7w0 7vz.7 26xl.6 -26xr 26xq.a -26y0 26xz.a -26y9 26y8.a -2eur 7w8 26yh.a -26yr 26yq.a -26z0 26yz.a -26z9 26z8.a
-26zi 26zh.a -26zr 26zq.a -2700 26zz.a -2709 2708 5.4 -270i 270h.9 -270q 270s.8 -2exi 7wh 270z 7.2 -2719 2718.8 -271g
271j -271k.7 -7wr 7wq.a -8pi sh 7wz.a -7x9 7x8.a -7xi 7xh.a -7xr 7xq.a -7y0 7xz.a -7y9 7y8.a -7yi 7yh.a -7yr 7yq.a
-7z0 7yz.a -7z9 7z8.3 6 -8s9 sq 7zh.3 3.2 -7zp.2 7zz.a -809 808.s 1 5 2.w -8v0 8uz.k -82i 82h.4 -82l 82r -82s 837.2
-839 838.a -83i 83h.a -83r 83q -83r 83z.7 1.2 -849 848.5 1.4 -8xr t8 84h.3 1.6 -84r 84q 1.7 -84z 84z.7 1.2 -859 858.5
1.4 -85i 85h.3 1.6 -85r 85q.a -860 85z.a -869 868.6 -86e.2 -ti th.3 87k -87l.7 -tr tq.9 2jip.2d 1.6 -2jl9 2jl8.1t 1.2
2 2.2 2.4 1.c 1 1.3 -2ki0 tz 2jnz.4 1.1t 1.4 2.8 1.7 1.6 -2jqr 2jqq.m 1.4 1.5 1 3.7 1.1i -2jti 2jth.2s -2jw9 2jw8.2s
-2jz0 2jyz.2e 2.c -2k1r 2k1q.d 1.p 1.v 1.p 1.2 -2k4i 2k4h.t 1.p 1.v 1.c -2k79 2k78.d 1.v 1.p 1.8 2.i -2ka0 2k9z.w
-2kav -u9 u8.a -ui uh.7 2lo5.v -2lp0.2 2lv7.7 1.c -2lvr 2lvq.5 2.7 1.2 1.5 -2dd2.3 -8je.2 2m28.19 a.7 -2m3y 2m3z.a
-2dk9 2dkc -2dkd.8 -8k9 8kf.3 -8ki 8kh.2 2.5 -8kq 8kt 2dse.4 -2dsi 2dsh.a -2dsr 2dsq.a -2dt0 2dsz.6 -2dt5.2 2dtl.6
-2dtr 2dtq.a -2mf0 8kz 2dtz.a -2du9 2du8.a -2dui 2duh.8 -2dup 2dus.8 -2dv0 2duz.2 -2dv1.5 -8l9 8l8.a -8li 8lh.a -8lr
8lq.a -8m0 8lz.a -8m9 8m8.a -8mi 8mh.a -8mr 8mq.9 -8mz 8n4.3 1 -8n9 8n8.a -8ni 8nh.a -8nr 8nq.a -8o0 8nz.a 2eqe.4
-2ner 8o8 2eqh.3 1.4 1 -2eqr 2eqq 1.8 -2er0 2eqz.7 1.2 -2er9 2er8.a -2eri 2erh.a -2err 2erq.a -2es0 2erz.a -2es9
2es8.a -2esi 2esh.a -2esr 2esq.a -2nhi 8oh 2esz.a -2et9 2et8.a -2eti 2eth.a -2etr 2etq.a -2eu0 2etz.a -2eu9 2eu8.a
-2eui 2euh.a -2eur 2euq.a -2ev0 2euz.a -2ev9 2ev8.a -2nk9 8oq 2evh.a -2evr 2evq.a -2ew0 2evz.5 -2ew4.6 2exl.6 -2exr
2exq.a -2nn0 8oz 2exz.a -2ey9 2ey8.a -2eyi 2eyh.a -2eyr 2eyq.a -2ez0 2eyz.a -2ez9 2ez8.2 3 3 -2ezi 2ezl.6 -2ezr 2ezq.4
-2ezu.2 -8p9 8p8.9 -8ph 8ph.4 5 -8pr 8pq.a -8q0 8pz.a -8q9 8q8.a -8qi 8qh.a -8qr 8qq.2 1.7 -8r0 8qz.a -8r9 8r8.a -8ri
8rh.a -8rr 8rq.a -8s0 8rz.7 2ftl.4 1 -2ftr 2ftq.a -2fu0 2ftz.a -2fu9 2fu8.6 1.2 -2omq 8s8 2fuh 2 1.5 -2fur 2fuq.5 1.4
-2fv0 2fv0 1 -2fv3 2fv8 4 1 1 -2fvi 2fvi.3 1.2 1 -2fvq 2fvr 1 1 1 1 -2fw0 2fw0.2 1 2.3 -2fw9 2fw8 1.7 -2fwh 2fwh.4 1.4
-2fwq 2fwq 1.8 -2opi 8sh 2fwz.2 1.7 -2fx9 2fx8.a -2fxi 2fxm.3 1 -2fxr 2fxq.4 1.5 -2fy0 2fxz.a -2fy9 2fy8.2 -2fya.4
-8sr 8sq.a -8t0 8sz.7 -8t6.2 8tl.6 -8tr 8tq.a -8u0 8tz.9 2gdz.a -2ge9 2ge8.a -2p8r 8u8 2geh.6 -2gen 2ges.8 -2gf0
2gez.a -2gf9 2gf8.8 -2gfg 2gfl.6 -2gfr 2gfq.k -2pao.5 8vl.6 -8vr 8vq.a -8w0.l 2rbv.a -2rc5.a 2s4h.s -2s59 2s58.2s
-2s80 2s7z.2s -2sar 2saq.2s -2sdi 2sdh.2s -2sg9 2sg8.2s -2sj0 2siz.2s -2slr 2slq.2s -2soi 2soh.2s -2sr9 2sr8.2s -2su0
2stz.2s -2swr 2swq.2s -2szi 2szh.2s -2t29 2t28.2s -2t50 2t4z.2s -2t7r 2t7q.2s -2tai 2tah.2s -2td9 2td8.5k -2tir
2tiq.2s -2tli 2tlh.2s -2to9 2to8.k -2kg0 2kfz.a -2kg9 2kg8.a -2kgi 2kgh.a -2kgr 2kgq.a -2kh0 2kgz.a -2kh9 2kh8.a -2khi
2khh.a -2khr 2khq.a -2tr0 98z 2khz.a -2ki9 2ki8.a -2kii 2kih.a -2kir 2kiq.a -2kj0 2kiz.a -2kj9 2kj8.a -2kji 2kjh.a
-2kjr 2kjq.a -2kk0 2kjz.a -2kk9 2kk8.a -2ttr 998 2kkh.a -2kkr 2kkq.a -2kl0 2kkz.a -2kl9 2kl8.a -2kli 2klh.a -2klr
2klq.a -2km0 2klz.a -2km9 2km8.a -2kmi 2kmh.a -2kmr 2kmq.a -2twi 99h 2kmz.a -2kn9 2kn8.a -2kni 2knh.a -2knr 2knq.a
-2ko0 2knz.a -2ko9 2ko8.a -2koi 2koh.a -2kor 2koq.a -2kp0 2koz.a -2kp9 2kp8.a -2tz9 99q 2kph.a -2kpr 2kpq.a -2kq0
2kpz.a -2kq9 2kq8.a -2kqi 2kqh.a -2kqr 2kqq.a -2kr0 2kqz.a -2kr9 2kr8.a -2kri 2krh.a -2krr 2krq.a -2u20 99z 2krz.a
-2ks9 2ks8.a -2ksi 2ksh.a -2ksr 2ksq.a -2kt0 2ksz.a -2kt9 2kt8.a -2kti 2kth.a -2ktr 2ktq.a -2ku0 2ktz.a -2ku9 2ku8.a
-2u4r 9a8 2kuh.a -2kur 2kuq.a -2kv0 2kuz.a -2kv9 2kv8.a -2kvi 2kvh.a -2kvr 2kvq.a -2kw0 2kvz.a -2kw9 2kw8.a -2kwi
2kwh.a -2kwr 2kwq.a -2u7i 9ah 2kwz.a -2kx9 2kx8.a -2kxi 2kxh.a -2kxr 2kxq.a -2ky0 2kxz.a -2ky9 2ky8.a -2kyi 2kyh.a
-2kyr 2kyq.a -2kz0 2kyz.a -2kz9 2kz8.a -2ua9 9aq 2kzh.a -2kzr 2kzq.a -2l00 2kzz.a -2l09 2l08.a -2l0i 2l0h.a -2l0r
2l0q.a -2l10 2l0z.a -2l19 2l18.a -2l1i 2l1h.a -2l1r 2l1q.a -2ud0 9az 2l1z.a -2l29 2l28.a -2l2i 2l2h.a -2l2r 2l2q.a
-2l30 2l2z.a -2l39 2l38.a -2l3i 2l3h.a -2l3r 2l3q.a -2l40 2l3z.a -2l49 2l48.a -2ufr 9b8 2l4h.a -2l4r 2l4q.a -2l50
2l4z.a -2l59 2l58.a -2l5i 2l5h.a -2l5r 2l5q.a -2l60 2l5z.a -2l69 2l68.a -2l6i 2l6h.a -2l6r 2l6q.a -2uii 9bh 2l6z.a
-2l79 2l78.a -2l7i 2l7h.a -2l7r 2l7q.a -2l80 2l7z.a -2l89 2l88.a -2l8i 2l8h.a -2l8r 2l8q.a -2l90 2l8z.a -2l99 2l98.a
-2ul9 9bq 2l9h.a -2l9r 2l9q.a -2la0 2l9z.a -2la9 2la8.a -2lai 2lah.a -2lar 2laq.a -2lb0 2laz.a -2lb9 2lb8.a -2lbi
2lbh.a -2lbr 2lbq.a -2uo0 9bz 2lbz.a -2lc9 2lc8.a -2lci 2lch.a -2lcr 2lcq.a -2ld0 2lcz.a -2ld9 2ld8.a -2ldi 2ldh.a
-2ldr 2ldq.a -2le0 2ldz.a -2le9 2le8.a -2uqr 9c8 2leh.a -2ler 2leq.a -2lf0 2lez.a -2lf9 2lf8.a -2lfi 2lfh.a -2lfr
2lfq.a -2lg0 2lfz.a -2lg9 2lg8.a -2lgi 2lgh.a -2lgr 2lgq.a -2uti 9ch 2lgz.a -2lh9 2lh8.a -2lhi 2lhh.a -2lhr 2lhq.a
-2li0 2lhz.a -2li9 2li8.a -2lii 2lih.a -2lir 2liq.a -2lj0 2liz.a -2lj9 2lj8.a -2uw9 9cq 2ljh.a -2ljr 2ljq.a -2lk0
2ljz.a -2lk9 2lk8.a -2lki 2lkh.a -2lkr 2lkq.a -2ll0 2lkz.a -2ll9 2ll8.a -2lli 2llh.a -2llr 2llq.a -2uz0 9cz 2llz.a
-2lm9 2lm8.a -2lmi 2lmh.a -2lmr 2lmq.a -2ln0 2lmz.a -2ln9 2ln8.a -2lni 2lnh.a -2lnr 2lnq.a -2lo0 2lnz.a -2lo9 2lo8.a
-2v1r 9d8 2loh.a -2lor 2loq.a -2lp0 2loz.a -2lp9 2lp8.a -2lpi 2lph.a -2lpr 2lpq.a -2lq0 2lpz.a -2lq9 2lq8.a -2lqi
2lqh.a -2lqr 2lqq.a -2v4i 9dh 2lqz.a -2lr9 2lr8.a -2lri 2lrh.a -2lrr 2lrq.a -2ls0 2lrz.a -2ls9 2ls8.a -2lsi 2lsh.a
-2lsr 2lsq.a -2lt0 2lsz.a -2lt9 2lt8.a -2v79 9dq 2lth.a -2ltr 2ltq.a -2lu0 2ltz.a -2lu9 2lu8.a -2lui 2luh.a -2lur
2luq.a -2lv0 2luz.a -2lv9 2lv8.a -2lvi 2lvh.a -2lvr 2lvq.a -2va0 9dz 2lvz.a -2lw9 2lw8.a -2lwi 2lwh.a -2lwr 2lwq.a
-2lx0 2lwz.a -2lx9 2lx8.a -2lxi 2lxh.a -2lxr 2lxq.a -2ly0 2lxz.a -2ly9 2ly8.a -2vcr 9e8 2lyh.a -2lyr 2lyq.a -2lz0
2lyz.a -2lz9 2lz8.a -2lzi 2lzh.a -2lzr 2lzq.a -2m00 2lzz.a -2m09 2m08.a -2m0i 2m0h.a -2m0r 2m0q.a -2vfi 9eh 2m0z.a
-2m19 2m18.a -2m1i 2m1h.a -2m1r 2m1q.a -2m20 2m1z.a -2m29 2m28.a -2m2i 2m2h.a -2m2r 2m2q.a -2m30 2m2z.a -2m39 2m38.a
-2vi9 9eq 2m3h.a -2m3r 2m3q.a -2m40 2m3z.a -2m49 2m48.a -2m4i 2m4h.a -2m4r 2m4q.a -2m50 2m4z.a -2m59 2m58.a -2m5i
2m5h.a -2m5r 2m5q.a -2vl0 9ez 2m5z.a -2m69 2m68.a -2m6i 2m6h.a -2m6r 2m6q.a -2m70 2m6z.a -2m79 2m78.a -2m7i 2m7h.a
-2m7r 2m7q.a -2m80 2m7z.a -2m89 2m88.a -2vnr 9f8 2m8h.a -2m8r 2m8q.a -2m90 2m8z.a -2m99 2m98.a -2m9i 2m9h.a -2m9r
2m9q.a -2ma0 2m9z.a -2ma9 2ma8.a -2mai 2mah.a -2mar 2maq.a -2vqi 9fh 2maz.a -2mb9 2mb8.a -2mbi 2mbh.a -2mbr 2mbq.a
-2mc0 2mbz.a -2mc9 2mc8.a -2mci 2mch.a -2mcr 2mcq.a -2md0 2mcz.a -2md9 2md8.a -2vt9 9fq 2mdh.a -2mdr 2mdq.a -2me0
2mdz.a -2me9 2me8.a -2mei 2meh.a -2mer 2meq.a -2mf0 2mez.a -2mf9 2mf8.a -2mfi 2mfh.a -2mfr 2mfq.a -2vw0 9fz 2mfz.a
-2mg9 2mg8.a -2mgi 2mgh.a -2mgr 2mgq.a -2mh0 2mgz.a -2mh9 2mh8.a -2mhi 2mhh.a -2mhr 2mhq.a -2mi0 2mhz.a -2mi9 2mi8.a
-2vyr 9g8 2mih.a -2mir 2miq.a -2mj0 2miz.a -2mj9 2mj8.a -2mji 2mjh.a -2mjr 2mjq.a -2mk0 2mjz.a -2mk9 2mk8.a -2mki
2mkh.a -2mkr 2mkq.a -2w1i 9gh 2mkz.a -2ml9 2ml8.a -2mli 2mlh.a -2mlr 2mlq.a -2mm0 2mlz.a -2mm9 2mm8.a -2mmi 2mmh.a
-2mmr 2mmq.a -2mn0 2mmz.a -2mn9 2mn8.a -2w49 9gq 2mnh.a -2mnr 2mnq.a -2mo0 2mnz.a -2mo9 2mo8.a -2moi 2moh.a -2mor
2moq.a -2mp0 2moz.a -2mp9 2mp8.a -2mpi 2mph.a -2mpr 2mpq.a -2w70 9gz 2mpz.a -2mq9 2mq8.a -2mqi 2mqh.a -2mqr 2mqq.a
-2mr0 2mqz.a -2mr9 2mr8.a -2mri 2mrh.a -2mrr 2mrq.a -2ms0 2mrz.a -2ms9 2ms8.a -2w9r 9h8 2msh.a -2msr 2msq.a -2mt0
2msz.a -2mt9 2mt8.a -2mti 2mth.a -2mtr 2mtq.a -2mu0 2mtz.a -2mu9 2mu8.a -2mui 2muh.a -2mur 2muq.a -2wci 9hh 2muz.a
-2mv9 2mv8.a -2mvi 2mvh.a -2mvr 2mvq.a -2mw0 2mvz.a -2mw9 2mw8.a -2mwi 2mwh.a -2mwr 2mwq.a -2mx0 2mwz.a -2mx9 2mx8.a
-2mxi 2mxh.a -2mxr 2mxq.a -2my0 2mxz.a -2my9 2my8.a -2myi 2myh.a -2myr 2myq.a -2mz0 2myz.a -2mz9 2mz8.a -2mzi 2mzh.a
-2mzr 2mzq.a -2n00 2mzz.a -2n09 2n08.a -2n0i 2n0h.a -2n0r 2n0q.a -2n10 2n0z.a -2n19 2n18.a -2n1i 2n1h.a -2n1r 2n1q.a
-2n20 2n1z.a -2n29 2n28.a -2wkr 9i8 2n2h.a -2n2r 2n2q.a -2n30 2n2z.a -2n39 2n38.a -2n3i 2n3h.a -2n3r 2n3q.a -2n40
2n3z.a -2n49 2n48.a -2n4i 2n4h.a -2n4r 2n4q.a -2n50 2n4z.a -2n59 2n58.a -2n5i 2n5h.a -2n5r 2n5q.a -2n60 2n5z.a -2n69
2n68.a -2n6i 2n6h.a -2n6r 2n6q.a -2n70 2n6z.a -2n79 2n78.a -2n7i 2n7h.a -2n7r 2n7q.a -2n80 2n7z.a -2n89 2n88.a -2n8i
2n8h.a -2n8r 2n8q.a -2n90 2n8z.a -2n99 2n98.a -2n9i 2n9h.a -2n9r 2n9q.a -2na0 2n9z.a -2na9 2na8.a -2nai 2nah.a -2nar
2naq.a -2nb0 2naz.a -2nb9 2nb8.a -2nbi 2nbh.a -2nbr 2nbq.a -2nc0 2nbz.a -2nc9 2nc8.a -2nci 2nch.a -2ncr 2ncq.a -2nd0
2ncz.a -2nd9 2nd8.a -2ndi 2ndh.a -2ndr 2ndq.a -2ne0 2ndz.a -2ne9 2ne8.a -2nei 2neh.a -2ner 2neq.a -2nf0 2nez.a -2nf9
2nf8.a -2nfi 2nfh.a -2nfr 2nfq.a -2ng0 2nfz.a -2ng9 2ng8.a -2ngi 2ngh.a -2ngr 2ngq.a -2nh0 2ngz.a -2nh9 2nh8.a -2nhi
2nhh.a -2nhr 2nhq.a -2ni0 2nhz.a -2ni9 2ni8.a -2nii 2nih.a -2nir 2niq.a -2nj0 2niz.a -2nj9 2nj8.a -2nji 2njh.a -2njr
2njq.a -2x40 9jz 2njz.a -2nk9 2nk8.a -2nki 2nkh.a -2nkr 2nkq.a -2nl0 2nkz.a -2nl9 2nl8.a -2nli 2nlh.a -2nlr 2nlq.a
-2nm0 2nlz.a -2nm9 2nm8.a -2x6r 9k8 2nmh.a -2nmr 2nmq.a -2nn0 2nmz.a -2nn9 2nn8.a -2nni 2nnh.a -2nnr 2nnq.a -2no0
2nnz.a -2no9 2no8.a -2noi 2noh.a -2nor 2noq.a -2x9i 9kh 2noz.a -2np9 2np8.a -2npi 2nph.a -2npr 2npq.a -2nq0 2npz.a
-2nq9 2nq8.a -2nqi 2nqh.a -2nqr 2nqq.a -2nr0 2nqz.a -2nr9 2nr8.a -2xc9 9kq 2nrh.a -2nrr 2nrq.a -2ns0 2nrz.a -2ns9
2ns8.a -2nsi 2nsh.a -2nsr 2nsq.a -2nt0 2nsz.a -2nt9 2nt8.a -2nti 2nth.a -2ntr 2ntq.a -2xf0 9kz 2ntz.a -2nu9 2nu8.a
-2nui 2nuh.a -2nur 2nuq.a -2nv0 2nuz.a -2nv9 2nv8.a -2nvi 2nvh.a -2nvr 2nvq.a -2nw0 2nvz.a -2nw9 2nw8.a -2xhr 9l8
2nwh.a -2nwr 2nwq.a -2nx0 2nwz.a -2nx9 2nx8.a -2nxi 2nxh.a -2nxr 2nxq.a -2ny0 2nxz.a -2ny9 2ny8.a -2nyi 2nyh.a -2nyr
2nyq.a -2xki 9lh 2nyz.a -2nz9 2nz8.a -2nzi 2nzh.a -2nzr 2nzq.a -2o00 2nzz.a -2o09 2o08.a -2o0i 2o0h.a -2o0r 2o0q.a
-2o10 2o0z.a -2o19 2o18.a -2xn9 9lq 2o1h.a -2o1r 2o1q.a -2o20 2o1z.a -2o29 2o28.a -2o2i 2o2h.a -2o2r 2o2q.a -2o30
2o2z.a -2o39 2o38.a -2o3i 2o3h.a -2o3r 2o3q.a -2xq0 9lz 2o3z.a -2o49 2o48.a -2o4i 2o4h.a -2o4r 2o4q.a -2o50 2o4z.a
-2o59 2o58.a -2o5i 2o5h.a -2o5r 2o5q.a -2o60 2o5z.a -2o69 2o68.a -2xsr 9m8 2o6h.a -2o6r 2o6q.a -2o70 2o6z.a -2o79
2o78.a -2o7i 2o7h.a -2o7r 2o7q.a -2o80 2o7z.a -2o89 2o88.a -2o8i 2o8h.a -2o8r 2o8q.a -2xvi 9mh 2o8z.a -2o99 2o98.a
-2o9i 2o9h.a -2o9r 2o9q.a -2oa0 2o9z.a -2oa9 2oa8.a -2oai 2oah.a -2oar 2oaq.a -2ob0 2oaz.a -2ob9 2ob8.a -2xy9 9mq
2obh.a -2obr 2obq.a -2oc0 2obz.a -2oc9 2oc8.a -2oci 2och.a -2ocr 2ocq.a -2od0 2ocz.a -2od9 2od8.a -2odi 2odh.a -2odr
2odq.a -2y10 9mz 2odz.a -2oe9 2oe8.a -2oei 2oeh.a -2oer 2oeq.a -2of0 2oez.a -2of9 2of8.a -2ofi 2ofh.a -2ofr 2ofq.a
-2og0 2ofz.a -2og9 2og8.a -2y3r 9n8 2ogh.a -2ogr 2ogq.a -2oh0 2ogz.a -2oh9 2oh8.a -2ohi 2ohh.a -2ohr 2ohq.a -2oi0
2ohz.a -2oi9 2oi8.a -2oii 2oih.a -2oir 2oiq.a -2y6i 9nh 2oiz.a -2oj9 2oj8.a -2oji 2ojh.a -2ojr 2ojq.a -2ok0 2ojz.a
-2ok9 2ok8.a -2oki 2okh.a -2okr 2okq.a -2ol0 2okz.a -2ol9 2ol8.a -2y99 9nq 2olh.a -2olr 2olq.a -2om0 2olz.a -2om9
2om8.a -2omi 2omh.a -2omr 2omq.a -2on0 2omz.a -2on9 2on8.a -2oni 2onh.a -2onr 2onq.a -2yc0 9nz 2onz.a -2oo9 2oo8.a
-2ooi 2ooh.a -2oor 2ooq.a -2op0 2ooz.a -2op9 2op8.a -2opi 2oph.a -2opr 2opq.a -2oq0 2opz.a -2oq9 2oq8.a -2yer 9o8
2oqh.a -2oqr 2oqq.a -2or0 2oqz.a -2or9 2or8.a -2ori 2orh.a -2orr 2orq.a -2os0 2orz.a -2os9 2os8.a -2osi 2osh.a -2osr
2osq.a -2yhi 9oh 2osz.a -2ot9 2ot8.a -2oti 2oth.a -2otr 2otq.a -2ou0 2otz.a -2ou9 2ou8.a -2oui 2ouh.a -2our 2ouq.a
-2ov0 2ouz.a -2ov9 2ov8.a -2yk9 9oq 2ovh.a -2ovr 2ovq.a -2ow0 2ovz.a -2ow9 2ow8.a -2owi 2owh.a -2owr 2owq.a -2ox0
2owz.a -2ox9 2ox8.a -2oxi 2oxh.a -2oxr 2oxq.a -2yn0 9oz 2oxz.a -2oy9 2oy8.a -2oyi 2oyh.a -2oyr 2oyq.a -2oz0 2oyz.a
-2oz9 2oz8.a -2ozi 2ozh.a -2ozr 2ozq.a -2p00 2ozz.a -2p09 2p08.a -2ypr 9p8 2p0h.a -2p0r 2p0q.a -2p10 2p0z.a -2p19
2p18.a -2p1i 2p1h.a -2p1r 2p1q.a -2p20 2p1z.a -2p29 2p28.a -2p2i 2p2h.a -2p2r 2p2q.a -2ysi 9ph 2p2z.a -2p39 2p38.a
-2p3i 2p3h.a -2p3r 2p3q.a -2p40 2p3z.a -2p49 2p48.a -2p4i 2p4h.a -2p4r 2p4q.a -2p50 2p4z.a -2p59 2p58.a -2yv9 9pq
2p5h.a -2p5r 2p5q.a -2p60 2p5z.a -2p69 2p68.a -2p6i 2p6h.a -2p6r 2p6q.a -2p70 2p6z.a -2p79 2p78.a -2p7i 2p7h.a -2p7r
2p7q.a -2yy0 9pz 2p7z.a -2p89 2p88.a -2p8i 2p8h.a -2p8r 2p8q.a -2p90 2p8z.a -2p99 2p98.a -2p9i 2p9h.a -2p9r 2p9q.a
-2pa0 2p9z.a -2pa9 2pa8.a -2z0r 9q8 2pah.a -2par 2paq.a -2pb0 2paz.a -2pb9 2pb8.a -2pbi 2pbh.a -2pbr 2pbq.a -2pc0
2pbz.a -2pc9 2pc8.a -2pci 2pch.a -2pcr 2pcq.a -2z3i 9qh 2pcz.a -2pd9 2pd8.a -2pdi 2pdh.a -2pdr 2pdq.a -2pe0 2pdz.a
-2pe9 2pe8.a -2pei 2peh.a -2per 2peq.a -2pf0 2pez.a -2pf9 2pf8.a -2z69 9qq 2pfh.a -2pfr 2pfq.a -2pg0 2pfz.a -2pg9
2pg8.a -2pgi 2pgh.a -2pgr 2pgq.a -2ph0 2pgz.a -2ph9 2ph8.a -2phi 2phh.a -2phr 2phq.a -2z90 9qz 2phz.a -2pi9 2pi8.a
-2pii 2pih.a -2pir 2piq.a -2pj0 2piz.a -2pj9 2pj8.a -2pji 2pjh.a -2pjr 2pjq.a -2pk0 2pjz.a -2pk9 2pk8.a -2zbr 9r8
2pkh.a -2pkr 2pkq.a -2pl0 2pkz.a -2pl9 2pl8.a -2pli 2plh.a -2plr 2plq.a -2pm0 2plz.a -2pm9 2pm8.a -2pmi 2pmh.a -2pmr
2pmq.a -2zei 9rh 2pmz.a -2pn9 2pn8.a -2pni 2pnh.a -2pnr 2pnq.a -2po0 2pnz.a -2po9 2po8.a -2poi 2poh.a -2por 2poq.a
-2pp0 2poz.a -2pp9 2pp8.a -2zh9 9rq 2pph.a -2ppr 2ppq.a -2pq0 2ppz.a -2pq9 2pq8.a -2pqi 2pqh.a -2pqr 2pqq.a -2pr0
2pqz.a -2pr9 2pr8.a -2pri 2prh.a -2prr 2prq.a -2zk0 9rz 2prz.a -2ps9 2ps8.a -2psi 2psh.a -2psr 2psq.a -2pt0 2psz.a
-2pt9 2pt8.a -2pti 2pth.a -2ptr 2ptq.a -2pu0 2ptz.a -2pu9 2pu8.a -2zmr 9s8 2puh.a -2pur 2puq.a -2pv0 2puz.a -2pv9
2pv8.a -2pvi 2pvh.a -2pvr 2pvq.a -2pw0 2pvz.a -2pw9 2pw8.a -2pwi 2pwh.a -2pwr 2pwq.a -2zpi 9sh 2pwz.a -2px9 2px8.a
-2pxi 2pxh.a -2pxr 2pxq.a -2py0 2pxz.a -2py9 2py8.a -2pyi 2pyh.a -2pyr 2pyq.a -2pz0 2pyz.a -2pz9 2pz8.a -2zs9 9sq
2pzh.a -2pzr 2pzq.a -2q00 2pzz.a -2q09 2q08.a -2q0i 2q0h.a -2q0r 2q0q.a -2q10 2q0z.a -2q19 2q18.a -2q1i 2q1h.a -2q1r
2q1q.a -2zv0 9sz 2q1z.a -2q29 2q28.a -2q2i 2q2h.a -2q2r 2q2q.a -2q30 2q2z.a -2q39 2q38.a -2q3i 2q3h.a -2q3r 2q3q.a
-2q40 2q3z.a -2q49 2q48.a -2zxr 9t8 2q4h.a -2q4r 2q4q.a -2q50 2q4z.a -2q59 2q58.a -2q5i 2q5h.a -2q5r 2q5q.a -2q60
2q5z.a -2q69 2q68.a -2q6i 2q6h.a -2q6r 2q6q.a -300i 9th 2q6z.a -2q79 2q78.a -2q7i 2q7h.a -2q7r 2q7q.a -2q80 2q7z.a
-2q89 2q88.a -2q8i 2q8h.a -2q8r 2q8q.a -2q90 2q8z.a -2q99 2q98.a -3039 9tq 2q9h.a -2q9r 2q9q.a -2qa0 2q9z.a -2qa9
2qa8.a -2qai 2qah.a -2qar 2qaq.a -2qb0 2qaz.a -2qb9 2qb8.a -2qbi 2qbh.a -2qbr 2qbq.a -3060 9tz 2qbz.a -2qc9 2qc8.a
-2qci 2qch.a -2qcr 2qcq.a -2qd0 2qcz.a -2qd9 2qd8.a -2qdi 2qdh.a -2qdr 2qdq.a -2qe0 2qdz.a -2qe9 2qe8.a -2qei 2qeh.a
-2qer 2qeq.a -2qf0 2qez.a -2qf9 2qf8.a -2qfi 2qfh.a -2qfr 2qfq.a -2qg0 2qfz.a -2qg9 2qg8.a -2qgi 2qgh.a -2qgr 2qgq.a
-2qh0 2qgz.a -2qh9 2qh8.a -2qhi 2qhh.a -2qhr 2qhq.a -2qi0 2qhz.a -2qi9 2qi8.a -2qii 2qih.a -2qir 2qiq.a -2qj0 2qiz.a
-2qj9 2qj8.a -2qji 2qjh.a -2qjr 2qjq.a -2qk0 2qjz.a -2qk9 2qk8.a -2qki 2qkh.a -2qkr 2qkq.a -2ql0 2qkz.a -2ql9 2ql8.a
-2qli 2qlh.a -2qlr 2qlq.a -2qm0 2qlz.a -2qm9 2qm8.a -2qmi 2qmh.a -2qmr 2qmq.a -2qn0 2qmz.a -2qn9 2qn8.a -2qni 2qnh.a
-2qnr 2qnq.a -2qo0 2qnz.a -2qo9 2qo8.a -2qoi 2qoh.a -2qor 2qoq.a -2qp0 2qoz.a -2qp9 2qp8.a -2qpi 2qph.a -2qpr 2qpq.a
-2qq0 2qpz.a -2qq9 2qq8.a -2qqi 2qqh.a -2qqr 2qqq.a -2qr0 2qqz.a -2qr9 2qr8.a -2qri 2qrh.a -2qrr 2qrq.a -2qs0 2qrz.a
-2qs9 2qs8.a -2qsi 2qsh.a -2qsr 2qsq.a -2qt0 2qsz.a -2qt9 2qt8.a -2qti 2qth.a -2qtr 2qtq.a -2qu0 2qtz.a -2qu9 2qu8.a
-2qui 2quh.a -2qur 2quq.a -2qv0 2quz.a -2qv9 2qv8.a -2qvi 2qvh.a -2qvr 2qvq.a -2qw0 2qvz.a -2qw9 2qw8.a -2qwi 2qwh.a
-2qwr 2qwq.a -2qx0 2qwz.a -2qx9 2qx8.a -2qxi 2qxh.a -2qxr 2qxq.a -2qy0 2qxz.a -2qy9 2qy8.a -2qyi 2qyh.a -2qyr 2qyq.a
-2qz0 2qyz.a -2qz9 2qz8.a -2qzi 2qzh.a -2qzr 2qzq.a -2r00 2qzz.a -2r09 2r08.a -2r0i 2r0h.a -2r0r 2r0q.a -2r10 2r0z.a
-2r19 2r18.a -2r1i 2r1h.a -2r1r 2r1q.a -2r20 2r1z.a -2r29 2r28.a -2r2i 2r2h.a -2r2r 2r2q.a -2r30 2r2z.a -2r39 2r38.a
-2r3i 2r3h.a -2r3r 2r3q.a -2r40 2r3z.a -2r49 2r48.a -2r4i 2r4h.a -2r4r 2r4q.a -2r50 2r4z.a -2r59 2r58.a -2r5i 2r5h.a
-2r5r 2r5q.a -2r60 2r5z.a -2r69 2r68.a -2r6i 2r6h.a -2r6r 2r6q.a -2r70 2r6z.a -2r79 2r78.a -2r7i 2r7h.a -2r7r 2r7q.a
-2r80 2r7z.a -2r89 2r88.a -2r8i 2r8h.a -2r8r 2r8q.a -2r90 2r8z.a -2r99 2r98.a -2r9i 2r9h.a -2r9r 2r9q.a -2ra0 2r9z.a
-2ra9 2ra8.a -2rai 2rah.a -2rar 2raq.a -2rb0 2raz.a -2rb9 2rb8.a -2rbi 2rbh.a -2rbr 2rbq.a -2rc0 2rbz.a -2rc9 2rc8.a
-2rci 2rch.a -2rcr 2rcq.a -2rd0 2rcz.a -2rd9 2rd8.a -2rdi 2rdh.a -2rdr 2rdq.a -2re0 2rdz.a -2re9 2re8.a -2rei 2reh.a
-2rer 2req.a -2rf0 2rez.a -2rf9 2rf8.a -2rfi 2rfh.a -2rfr 2rfq.a -2rg0 2rfz.a -2rg9 2rg8.a -2rgi 2rgh.a -2rgr 2rgq.a
-2rh0 2rgz.a -2rh9 2rh8.a -2rhi 2rhh.a -2rhr 2rhq.a -2ri0 2rhz.a -2ri9 2ri8.a -2rii 2rih.a -2rir 2riq.a -2rj0 2riz.a
-2rj9 2rj8.a -2rji 2rjh.a -2rjr 2rjq.a -2rk0 2rjz.a -2rk9 2rk8.a -2rki 2rkh.a -2rkr 2rkq.a -2rl0 2rkz.a -2rl9 2rl8.a
-2rli 2rlh.a -2rlr 2rlq.a -2rm0 2rlz.a -2rm9 2rm8.a -2rmi 2rmh.a -2rmr 2rmq.a -2rn0 2rmz.a -2rn9 2rn8.a -2rni 2rnh.a
-2rnr 2rnq.a -2ro0 2rnz.a -2ro9 2ro8.a -2roi 2roh.a -2ror 2roq.a -2rp0 2roz.a -2rp9 2rp8.a -2rpi 2rph.a -2rpr 2rpq.a
-2rq0 2rpz.a -2rq9 2rq8.a -2rqi 2rqh.a -2rqr 2rqq.a -2rr0 2rqz.a -2rr9 2rr8.a -2rri 2rrh.a -2rrr 2rrq.a -2rs0 2rrz.a
-2rs9 2rs8.a -2rsi 2rsh.a -2rsr 2rsq.a -2rt0 2rsz.a -2rt9 2rt8.a -2rti 2rth.a -2rtr 2rtq.a -2ru0 2rtz.a -2ru9 2ru8.a
-2rui 2ruh.a -2rur 2ruq.a -2rv0 2ruz.a -2rv9 2rv8.a -2rvi 2rvh.a -2rvr 2rvq.a -2rw0 2rvz.a -2rw9 2rw8.a -2rwi 2rwh.a
-2rwr 2rwq.a -2rx0 2rwz.a -2rx9 2rx8.a -2rxi 2rxh.a -2rxr 2rxq.a -2ry0 2rxz.a -2ry9 2ry8.a -2ryi 2ryh.a -2ryr 2ryq.a
-2rz0 2ryz.a -2rz9 2rz8.a -2rzi 2rzh.a -2rzr 2rzq.a -2s00 2rzz.a -2s09 2s08.a -2s0i 2s0h.a -2s0r 2s0q.a -2s10 2s0z.a
-2s19 2s18.a -2s1i 2s1h.a -2s1r 2s1q.a -2s20 2s1z.a -2s29 2s28.a -2s2i 2s2h.a -2s2r 2s2q.a -2s30 2s2z.a -2s39 2s38.a
-2s3i 2s3h.a -2s3r 2s3q.a -2s40 2s3z.a -2s49 2s48.a -2s4i 2s4h.a -2s4r 2s4q.a -2s50 2s4z.a -2s59 2s58.a -2s5i 2s5h.a
-2s5r 2s5q.a -2s60 2s5z.a -2s69 2s68.a -2s6i 2s6h.a -2s6r 2s6q.a -2s70 2s6z.a -2s79 2s78.a -2s7i 2s7h.a -2s7r 2s7q.a
-2s80 2s7z.a -2s89 2s88.a -2s8i 2s8h.a -2s8r 2s8q.a -2s90 2s8z.a -2s99 2s98.a -2s9i 2s9h.a -2s9r 2s9q.a -2sa0 2s9z.a
-2sa9 2sa8.a -2sai 2sah.a -2sar 2saq.a -2sb0 2saz.a -2sb9 2sb8.a -2sbi 2sbh.a -2sbr 2sbq.a -2sc0 2sbz.a -2sc9 2sc8.a
-2sci 2sch.a -2scr 2scq.a -2sd0 2scz.a -2sd9 2sd8.a -2sdi 2sdh.a -2sdr 2sdq.a -2se0 2sdz.a -2se9 2se8.a -2sei 2seh.a
-2ser 2seq.a -2sf0 2sez.a -2sf9 2sf8.a -2sfi 2sfh.a -2sfr 2sfq.a -2sg0 2sfz.a -2sg9 2sg8.a -2sgi 2sgh.a -2sgr 2sgq.a
-2sh0 2sgz.a -2sh9 2sh8.a -2shi 2shh.a -2shr 2shq.a -2si0 2shz.a -2si9 2si8.a -2sii 2sih.a -2sir 2siq.a -2sj0 2siz.a
-2sj9 2sj8.a -2sji 2sjh.a -2sjr 2sjq.a -2sk0 2sjz.a -2sk9 2sk8.a -2ski 2skh.a -2skr 2skq.a -2sl0 2skz.a -2sl9 2sl8.a
-2sli 2slh.a -2slr 2slq.a -2sm0 2slz.a -2sm9 2sm8.a -2smi 2smh.a -2smr 2smq.a -2sn0 2smz.a -2sn9 2sn8.a -2sni 2snh.a
-2snr 2snq.a -2so0 2snz.a -2so9 2so8.a -2soi 2soh.a -2sor 2soq.a -2sp0 2soz.a -2sp9 2sp8.a -2spi 2sph.a -2spr 2spq.a
-2sq0 2spz.a -2sq9 2sq8.a -2sqi 2sqh.a -2sqr 2sqq.a -2sr0 2sqz.a -2sr9 2sr8.a -2sri 2srh.a -2srr 2srq.a -2ss0 2srz.a
-2ss9 2ss8.a -2ssi 2ssh.a -2ssr 2ssq.a -2st0 2ssz.a -2st9 2st8.a -2sti 2sth.a -2str 2stq.a -2su0 2stz.a -2su9 2su8.a
-2sui 2suh.a -2sur 2suq.a -2sv0 2suz.a -2sv9 2sv8.a -2svi 2svh.a -2svr 2svq.a -2sw0 2svz.a -2sw9 2sw8.a -2swi 2swh.a
-2swr 2swq.a -2sx0 2swz.a -2sx9 2sx8.a -2sxi 2sxh.a -2sxr 2sxq.a -2sy0 2sxz.a -2sy9 2sy8.a -2syi 2syh.a -2syr 2syq.a
-2sz0 2syz.a -2sz9 2sz8.a -2szi 2szh.a -2szr 2szq.a -2t00 2szz.a -2t09 2t08.a -2t0i 2t0h.a -2t0r 2t0q.a -2t10 2t0z.a
-2t19 2t18.a -2t1i 2t1h.a -2t1r 2t1q.a -2t20 2t1z.a -2t29 2t28.a -2t2i 2t2h.a -2t2r 2t2q.a -2t30 2t2z.a -2t39 2t38.a
-2t3i 2t3h.a -2t3r 2t3q.a -3380 a3z 2t3z.a -2t49 2t48.a -2t4i 2t4h.a -2t4r 2t4q.a -2t50 2t4z.a -2t59 2t58.a -2t5i
2t5h.a -2t5r 2t5q.a -2t60 2t5z.a -2t69 2t68.a -33ar a48 2t6h.a -2t6r 2t6q.a -2t70 2t6z.a -2t79 2t78.a -2t7i 2t7h.a
-2t7r 2t7q.a -2t80 2t7z.a -2t89 2t88.a -2t8i 2t8h.a -2t8r 2t8q.a -33di a4h 2t8z.a -2t99 2t98.a -2t9i 2t9h.a -2t9r
2t9q.a -2ta0 2t9z.a -2ta9 2ta8.a -2tai 2tah.a -2tar 2taq.a -2tb0 2taz.a -2tb9 2tb8.a -33g9 a4q 2tbh.a -2tbr 2tbq.a
-2tc0 2tbz.a -2tc9 2tc8.a -2tci 2tch.a -2tcr 2tcq.a -2td0 2tcz.a -2td9 2td8.a -2tdi 2tdh.a -2tdr 2tdq.a -33j0 a4z
2tdz.a -2te9 2te8.a -2tei 2teh.a -2ter 2teq.a -2tf0 2tez.a -2tf9 2tf8.a -2tfi 2tfh.a -2tfr 2tfq.a -2tg0 2tfz.a -2tg9
2tg8.a -33lr a58 2tgh.a -2tgr 2tgq.a -2th0 2tgz.a -2th9 2th8.a -2thi 2thh.a -2thr 2thq.a -2ti0 2thz.a -2ti9 2ti8.a
-2tii 2tih.a -2tir 2tiq.a -33oi a5h 2tiz.a -2tj9 2tj8.a -2tji 2tjh.a -2tjr 2tjq.a -2tk0 2tjz.a -2tk9 2tk8.a -2tki
2tkh.a -2tkr 2tkq.a -2tl0 2tkz.a -2tl9 2tl8.a -33r9 a5q 2tlh.a -2tlr 2tlq.a -2tm0 2tlz.a -2tm9 2tm8.a -2tmi 2tmh.a
-2tmr 2tmq.a -2tn0 2tmz.a -2tn9 2tn8.a -2tni 2tnh.a -2tnr 2tnq.a -33u0 a5z 2tnz.a -2to9 2to8.a -2toi 2toh.a -2tor
2toq.a -2tp0 2toz.a -2tp9 2tp8.a -2tpi 2tph.a -2tpr 2tpq.a -2tq0 2tpz.a -2tq9 2tq8.a -33wr a68 2tqh.a -2tqr 2tqq.a
-2tr0 2tqz.a -2tr9 2tr8.a -2tri 2trh.a -2trr 2trq.a -2ts0 2trz.a -2ts9 2ts8.a -2tsi 2tsh.a -2tsr 2tsq.a -33zi a6h
2tsz.a -2tt9 2tt8.a -2tti 2tth.a -2ttr 2ttq.a -2tu0 2ttz.a -2tu9 2tu8.a -2tui 2tuh.a -2tur 2tuq.a -2tv0 2tuz.a -2tv9
2tv8.a -3429 a6q 2tvh.a -2tvr 2tvq.a -2tw0 2tvz.a -2tw9 2tw8.a -2twi 2twh.a -2twr 2twq.a -2tx0 2twz.a -2tx9 2tx8.a
-2txi 2txh.a -2txr 2txq.a -3450 a6z 2txz.a -2ty9 2ty8.a -2tyi 2tyh.a -2tyr 2tyq.a -2tz0 2tyz.a -2tz9 2tz8.a -2tzi
2tzh.a -2tzr 2tzq.a -2u00 2tzz.a -2u09 2u08.a -347r a78 2u0h.a -2u0r 2u0q.a -2u10 2u0z.a -2u19 2u18.a -2u1i 2u1h.a
-2u1r 2u1q.a -2u20 2u1z.a -2u29 2u28.a -2u2i 2u2h.a -2u2r 2u2q.a -2u30 2u2z.a -2u39 2u38.a -2u3i 2u3h.a -2u3r 2u3q.a
-2u40 2u3z.a -2u49 2u48.a -2u4i 2u4h.a -2u4r 2u4q.a -2u50 2u4z.a -2u59 2u58.a -34d9 a7q 2u5h.a -2u5r 2u5q.a -2u60
2u5z.a -2u69 2u68.a -2u6i 2u6h.a -2u6r 2u6q.a -2u70 2u6z.a -2u79 2u78.a -2u7i 2u7h.a -2u7r 2u7q.a -2u80 2u7z.a -2u89
2u88.a -2u8i 2u8h.a -2u8r 2u8q.a -2u90 2u8z.a -2u99 2u98.a -2u9i 2u9h.a -2u9r 2u9q.a -2ua0 2u9z.a -2ua9 2ua8.a -34ir
a88 2uah.a -2uar 2uaq.a -2ub0 2uaz.a -2ub9 2ub8.a -2ubi 2ubh.a -2ubr 2ubq.a -2uc0 2ubz.a -2uc9 2uc8.a -2uci 2uch.a
-2ucr 2ucq.a -34li a8h 2ucz.a -2ud9 2ud8.a -2udi 2udh.a -2udr 2udq.a -2ue0 2udz.a -2ue9 2ue8.a -2uei 2ueh.a -2uer
2ueq.a -2uf0 2uez.a -2uf9 2uf8.a -2ufi 2ufh.a -2ufr 2ufq.a -2ug0 2ufz.a -2ug9 2ug8.a -2ugi 2ugh.a -2ugr 2ugq.a -2uh0
2ugz.a -2uh9 2uh8.a -2uhi 2uhh.a -2uhr 2uhq.a -34r0 a8z 2uhz.a -2ui9 2ui8.a -2uii 2uih.a -2uir 2uiq.a -2uj0 2uiz.a
-2uj9 2uj8.a -2uji 2ujh.a -2ujr 2ujq.a -2uk0 2ujz.a -2uk9 2uk8.a -34tr a98 2ukh.a -2ukr 2ukq.a -2ul0 2ukz.a -2ul9
2ul8.a -2uli 2ulh.a -2ulr 2ulq.a -2um0 2ulz.a -2um9 2um8.a -2umi 2umh.a -2umr 2umq.a -2un0 2umz.a -2un9 2un8.a -2uni
2unh.a -2unr 2unq.a -2uo0 2unz.a -2uo9 2uo8.a -2uoi 2uoh.a -2uor 2uoq.a -2up0 2uoz.a -2up9 2up8.a -34z9 a9q 2uph.a
-2upr 2upq.a -2uq0 2upz.a -2uq9 2uq8.a -2uqi 2uqh.a -2uqr 2uqq.a -2ur0 2uqz.a -2ur9 2ur8.a -2uri 2urh.a -2urr 2urq.a
-2us0 2urz.a -2us9 2us8.a -2usi 2ush.a -2usr 2usq.a -2ut0 2usz.a -2ut9 2ut8.a -2uti 2uth.a -2utr 2utq.a -2uu0 2utz.a
-2uu9 2uu8.a -2uui 2uuh.a -2uur 2uuq.a -2uv0 2uuz.a -2uv9 2uv8.a -2uvi 2uvh.a -2uvr 2uvq.a -2uw0 2uvz.a -2uw9 2uw8.a
-2uwi 2uwh.a -2uwr 2uwq.a -2ux0 2uwz.a -2ux9 2ux8.a -2uxi 2uxh.a -2uxr 2uxq.a -2uy0 2uxz.a -2uy9 2uy8.a -2uyi 2uyh.a
-2uyr 2uyq.a -2uz0 2uyz.a -2uz9 2uz8.a -2uzi 2uzh.a -2uzr 2uzq.a -2v00 2uzz.a -2v09 2v08.a -2v0i 2v0h.a -2v0r 2v0q.a
-2v10 2v0z.a -2v19 2v18.a -2v1i 2v1h.a -2v1r 2v1q.a -2v20 2v1z.a -2v29 2v28.a -2v2i 2v2h.a -2v2r 2v2q.a -2v30 2v2z.a
-2v39 2v38.a -2v3i 2v3h.a -2v3r 2v3q.a -2v40 2v3z.a -2v49 2v48.a -2v4i 2v4h.a -2v4r 2v4q.a -2v50 2v4z.a -2v59 2v58.a
-2v5i 2v5h.a -2v5r 2v5q.a -2v60 2v5z.a -2v69 2v68.a -2v6i 2v6h.a -2v6r 2v6q.a -2v70 2v6z.a -2v79 2v78.a -2v7i 2v7h.a
-2v7r 2v7q.a -2v80 2v7z.a -2v89 2v88.a -2v8i 2v8h.a -2v8r 2v8q.a -2v90 2v8z.a -2v99 2v98.a -2v9i 2v9h.a -2v9r 2v9q.a
-2va0 2v9z.a -2va9 2va8.a -2vai 2vah.a -2var 2vaq.a -2vb0 2vaz.a -2vb9 2vb8.a -2vbi 2vbh.a -2vbr 2vbq.a -35o0 abz
2vbz.a -2vc9 2vc8.a -2vci 2vch.a -2vcr 2vcq.a -2vd0 2vcz.a -2vd9 2vd8.a -2vdi 2vdh.a -2vdr 2vdq.a -2ve0 2vdz.a -2ve9
2ve8.a -35qr ac8 2veh.a -2ver 2veq.a -2vf0 2vez.a -2vf9 2vf8.a -2vfi 2vfh.a -2vfr 2vfq.a -2vg0 2vfz.a -2vg9 2vg8.a
-2vgi 2vgh.a -2vgr 2vgq.a -35ti ach 2vgz.a -2vh9 2vh8.a -2vhi 2vhh.a -2vhr 2vhq.a -2vi0 2vhz.a -2vi9 2vi8.a -2vii
2vih.a -2vir 2viq.a -2vj0 2viz.a -2vj9 2vj8.a -35w9 acq 2vjh.a -2vjr 2vjq.a -2vk0 2vjz.a -2vk9 2vk8.a -2vki 2vkh.a
-2vkr 2vkq.a -2vl0 2vkz.a -2vl9 2vl8.a -2vli 2vlh.a -2vlr 2vlq.a -35z0 acz 2vlz.a -2vm9 2vm8.a -2vmi 2vmh.a -2vmr
2vmq.a -2vn0 2vmz.a -2vn9 2vn8.a -2vni 2vnh.a -2vnr 2vnq.a -2vo0 2vnz.a -2vo9 2vo8.a -361r ad8 2voh.a -2vor 2voq.a
-2vp0 2voz.a -2vp9 2vp8.a -2vpi 2vph.a -2vpr 2vpq.a -2vq0 2vpz.a -2vq9 2vq8.a -2vqi 2vqh.a -2vqr 2vqq.a -364i adh
2vqz.a -2vr9 2vr8.a -2vri 2vrh.a -2vrr 2vrq.a -2vs0 2vrz.a -2vs9 2vs8.a -2vsi 2vsh.a -2vsr 2vsq.a -2vt0 2vsz.a -2vt9
2vt8.a -3679 adq 2vth.a -2vtr 2vtq.a -2vu0 2vtz.a -2vu9 2vu8.a -2vui 2vuh.a -2vur 2vuq.a -2vv0 2vuz.a -2vv9 2vv8.a
-2vvi 2vvh.a -2vvr 2vvq.a -36a0 adz 2vvz.a -2vw9 2vw8.a -2vwi 2vwh.a -2vwr 2vwq.a -2vx0 2vwz.a -2vx9 2vx8.a -2vxi
2vxh.a -2vxr 2vxq.a -2vy0 2vxz.a -2vy9 2vy8.a -36cr ae8 2vyh.a -2vyr 2vyq.a -2vz0 2vyz.a -2vz9 2vz8.a -2vzi 2vzh.a
-2vzr 2vzq.a -2w00 2vzz.a -2w09 2w08.a -2w0i 2w0h.a -2w0r 2w0q.a -36fi aeh 2w0z.a -2w19 2w18.a -2w1i 2w1h.a -2w1r
2w1q.a -2w20 2w1z.a -2w29 2w28.a -2w2i 2w2h.a -2w2r 2w2q.a -2w30 2w2z.a -2w39 2w38.a -36i9 aeq 2w3h.a -2w3r 2w3q.a
-2w40 2w3z.a -2w49 2w48.a -2w4i 2w4h.a -2w4r 2w4q.a -2w50 2w4z.a -2w59 2w58.a -2w5i 2w5h.a -2w5r 2w5q.a -36l0 aez
2w5z.a -2w69 2w68.a -2w6i 2w6h.a -2w6r 2w6q.a -2w70 2w6z.a -2w79 2w78.a -2w7i 2w7h.a -2w7r 2w7q.a -2w80 2w7z.a -2w89
2w88.a -36nr af8 2w8h.a -2w8r 2w8q.a -2w90 2w8z.a -2w99 2w98.a -2w9i 2w9h.a -2w9r 2w9q.a -2wa0 2w9z.a -2wa9 2wa8.a
-2wai 2wah.a -2war 2waq.a -36qi afh 2waz.a -2wb9 2wb8.a -2wbi 2wbh.a -2wbr 2wbq.a -2wc0 2wbz.a -2wc9 2wc8.a -2wci
2wch.a -2wcr 2wcq.a -2wd0 2wcz.a -2wd9 2wd8.a -36t9 afq 2wdh.a -2wdr 2wdq.a -2we0 2wdz.a -2we9 2we8.a -2wei 2weh.a
-2wer 2weq.a -2wf0 2wez.a -2wf9 2wf8.a -2wfi 2wfh.a -2wfr 2wfq.a -36w0 afz 2wfz.a -2wg9 2wg8.a -2wgi 2wgh.a -2wgr
2wgq.a -2wh0 2wgz.a -2wh9 2wh8.a -2whi 2whh.a -2whr 2whq.a -2wi0 2whz.a -2wi9 2wi8.a -36yr ag8 2wih.a -2wir 2wiq.a
-2wj0 2wiz.a -2wj9 2wj8.a -2wji 2wjh.a -2wjr 2wjq.a -2wk0 2wjz.a -2wk9 2wk8.a -2wki 2wkh.a -2wkr 2wkq.a -371i agh
2wkz.a -2wl9 2wl8.a -2wli 2wlh.a -2wlr 2wlq.a -2wm0 2wlz.a -2wm9 2wm8.a -2wmi 2wmh.a -2wmr 2wmq.a -2wn0 2wmz.a -2wn9
2wn8.a -3749 agq 2wnh.a -2wnr 2wnq.a -2wo0 2wnz.a -2wo9 2wo8.a -2woi 2woh.a -2wor 2woq.a -2wp0 2woz.a -2wp9 2wp8.a
-2wpi 2wph.a -2wpr 2wpq.a -3770 agz 2wpz.a -2wq9 2wq8.a -2wqi 2wqh.a -2wqr 2wqq.a -2wr0 2wqz.a -2wr9 2wr8.a -2wri
2wrh.a -2wrr 2wrq.a -2ws0 2wrz.a -2ws9 2ws8.a -379r ah8 2wsh.a -2wsr 2wsq.a -2wt0 2wsz.a -2wt9 2wt8.a -2wti 2wth.a
-2wtr 2wtq.a -2wu0 2wtz.a -2wu9 2wu8.a -2wui 2wuh.a -2wur 2wuq.a -37ci ahh 2wuz.a -2wv9 2wv8.a -2wvi 2wvh.a -2wvr
2wvq.a -2ww0 2wvz.a -2ww9 2ww8.a -2wwi 2wwh.a -2wwr 2wwq.a -2wx0 2wwz.a -2wx9 2wx8.a -37f9 ahq 2wxh.a -2wxr 2wxq.a
-2wy0 2wxz.a -2wy9 2wy8.a -2wyi 2wyh.a -2wyr 2wyq.a -2wz0 2wyz.a -2wz9 2wz8.a -2wzi 2wzh.a -2wzr 2wzq.a -37i0 ahz
2wzz.a -2x09 2x08.a -2x0i 2x0h.a -2x0r 2x0q.a -2x10 2x0z.a -2x19 2x18.a -2x1i 2x1h.a -2x1r 2x1q.a -2x20 2x1z.a -2x29
2x28.a -37kr ai8 2x2h.a -2x2r 2x2q.a -2x30 2x2z.a -2x39 2x38.a -2x3i 2x3h.a -2x3r 2x3q.a -2x40 2x3z.a -2x49 2x48.a
-2x4i 2x4h.a -2x4r 2x4q.a -37ni aih 2x4z.a -2x59 2x58.a -2x5i 2x5h.a -2x5r 2x5q.a -2x60 2x5z.a -2x69 2x68.a -2x6i
2x6h.a -2x6r 2x6q.a -2x70 2x6z.a -2x79 2x78.a -2x7i 2x7h.a -2x7r 2x7q.a -2x80 2x7z.a -2x89 2x88.a -2x8i 2x8h.a -2x8r
2x8q.a -2x90 2x8z.a -2x99 2x98.a -2x9i 2x9h.a -2x9r 2x9q.a -2xa0 2x9z.a -2xa9 2xa8.a -2xai 2xah.a -2xar 2xaq.a -2xb0
2xaz.a -2xb9 2xb8.a -2xbi 2xbh.a -2xbr 2xbq.a -2xc0 2xbz.a -2xc9 2xc8.a -2xci 2xch.a -2xcr 2xcq.a -2xd0 2xcz.a -2xd9
2xd8.a -2xdi 2xdh.a -2xdr 2xdq.a -2xe0 2xdz.a -2xe9 2xe8.a -2xei 2xeh.a -2xer 2xeq.a -2xf0 2xez.a -2xf9 2xf8.a -2xfi
2xfh.a -2xfr 2xfq.a -2xg0 2xfz.a -2xg9 2xg8.a -2xgi 2xgh.a -2xgr 2xgq.a -2xh0 2xgz.a -2xh9 2xh8.a -3819 ajq 2xhh.a
-2xhr 2xhq.a -2xi0 2xhz.a -2xi9 2xi8.a -2xii 2xih.a -2xir 2xiq.a -2xj0 2xiz.a -2xj9 2xj8.a -2xji 2xjh.a -2xjr 2xjq.a
-3840 ajz 2xjz.a -2xk9 2xk8.a -2xki 2xkh.a -2xkr 2xkq.a -2xl0 2xkz.a -2xl9 2xl8.a -2xli 2xlh.a -2xlr 2xlq.a -2xm0
2xlz.a -2xm9 2xm8.a -386r ak8 2xmh.a -2xmr 2xmq.a -2xn0 2xmz.a -2xn9 2xn8.a -2xni 2xnh.a -2xnr 2xnq.a -2xo0 2xnz.a
-2xo9 2xo8.a -2xoi 2xoh.a -2xor 2xoq.a -389i akh 2xoz.a -2xp9 2xp8.a -2xpi 2xph.a -2xpr 2xpq.a -2xq0 2xpz.a -2xq9
2xq8.a -2xqi 2xqh.a -2xqr 2xqq.a -2xr0 2xqz.a -2xr9 2xr8.a -2xri 2xrh.a -2xrr 2xrq.a -2xs0 2xrz.a -2xs9 2xs8.a -2xsi
2xsh.a -2xsr 2xsq.a -2xt0 2xsz.a -2xt9 2xt8.a -2xti 2xth.a -2xtr 2xtq.a -2xu0 2xtz.a -2xu9 2xu8.a -2xui 2xuh.a -2xur
2xuq.a -2xv0 2xuz.a -2xv9 2xv8.a -2xvi 2xvh.a -2xvr 2xvq.a -2xw0 2xvz.a -2xw9 2xw8.a -2xwi 2xwh.a -2xwr 2xwq.a -2xx0
2xwz.a -2xx9 2xx8.a -2xxi 2xxh.a -2xxr 2xxq.a -2xy0 2xxz.a -2xy9 2xy8.a -2xyi 2xyh.a -2xyr 2xyq.a -2xz0 2xyz.a -2xz9
2xz8.a -2xzi 2xzh.a -2xzr 2xzq.a -2y00 2xzz.a -2y09 2y08.a -2y0i 2y0h.a -2y0r 2y0q.a -2y10 2y0z.a -2y19 2y18.a -2y1i
2y1h.a -2y1r 2y1q.a -2y20 2y1z.a -2y29 2y28.a -2y2i 2y2h.a -2y2r 2y2q.a -2y30 2y2z.a -2y39 2y38.a -2y3i 2y3h.a -2y3r
2y3q.a -2y40 2y3z.a -2y49 2y48.a -2y4i 2y4h.a -2y4r 2y4q.a -2y50 2y4z.a -2y59 2y58.a -2y5i 2y5h.a -2y5r 2y5q.a -2y60
2y5z.a -2y69 2y68.a -2y6i 2y6h.a -2y6r 2y6q.a -2y70 2y6z.a -2y79 2y78.a -2y7i 2y7h.a -2y7r 2y7q.a -2y80 2y7z.a -2y89
2y88.a -2y8i 2y8h.a -2y8r 2y8q.a -2y90 2y8z.a -2y99 2y98.a -2y9i 2y9h.a -2y9r 2y9q.a -2ya0 2y9z.a -2ya9 2ya8.a -2yai
2yah.a -2yar 2yaq.a -2yb0 2yaz.a -2yb9 2yb8.a -2ybi 2ybh.a -2ybr 2ybq.a -2yc0 2ybz.a -2yc9 2yc8.a -2yci 2ych.a -2ycr
2ycq.a -2yd0 2ycz.a -2yd9 2yd8.a -2ydi 2ydh.a -2ydr 2ydq.a -2ye0 2ydz.a -2ye9 2ye8.a -2yei 2yeh.a -2yer 2yeq.a -2yf0
2yez.a -2yf9 2yf8.a -2yfi 2yfh.a -2yfr 2yfq.a -2yg0 2yfz.a -2yg9 2yg8.a -2ygi 2ygh.a -2ygr 2ygq.a -2yh0 2ygz.a -2yh9
2yh8.a -2yhi 2yhh.a -2yhr 2yhq.a -2yi0 2yhz.a -2yi9 2yi8.a -2yii 2yih.a -2yir 2yiq.a -2yj0 2yiz.a -2yj9 2yj8.a -2yji
2yjh.a -2yjr 2yjq.a -2yk0 2yjz.a -2yk9 2yk8.a -2yki 2ykh.a -2ykr 2ykq.a -2yl0 2ykz.a -2yl9 2yl8.a -2yli 2ylh.a -2ylr
2ylq.a -2ym0 2ylz.a -2ym9 2ym8.a -2ymi 2ymh.a -2ymr 2ymq.a -2yn0 2ymz.a -2yn9 2yn8.a -2yni 2ynh.a -2ynr 2ynq.a -2yo0
2ynz.a -2yo9 2yo8.a -2yoi 2yoh.a -2yor 2yoq.a -2yp0 2yoz.a -2yp9 2yp8.a -2ypi 2yph.a -2ypr 2ypq.a -2yq0 2ypz.a -2yq9
2yq8.a -2yqi 2yqh.a -2yqr 2yqq.a -2yr0 2yqz.a -2yr9 2yr8.a -2yri 2yrh.a -2yrr 2yrq.a -2ys0 2yrz.a -2ys9 2ys8.a -2ysi
2ysh.a -2ysr 2ysq.a -2yt0 2ysz.a -2yt9 2yt8.a -2yti 2yth.a -2ytr 2ytq.a -2yu0 2ytz.a -2yu9 2yu8.a -2yui 2yuh.a -2yur
2yuq.a -2yv0 2yuz.a -2yv9 2yv8.a -2yvi 2yvh.a -2yvr 2yvq.a -2yw0 2yvz.a -2yw9 2yw8.a -2ywi 2ywh.a -2ywr 2ywq.a -2yx0
2ywz.a -2yx9 2yx8.a -2yxi 2yxh.a -2yxr 2yxq.a -2yy0 2yxz.a -2yy9 2yy8.a -2yyi 2yyh.a -2yyr 2yyq.a -2yz0 2yyz.a -2yz9
2yz8.a -2yzi 2yzh.a -2yzr 2yzq.a -2z00 2yzz.a -2z09 2z08.a -2z0i 2z0h.a -2z0r 2z0q.a -2z10 2z0z.a -2z19 2z18.a -2z1i
2z1h.a -2z1r 2z1q.a -2z20 2z1z.a -2z29 2z28.a -2z2i 2z2h.a -2z2r 2z2q.a -2z30 2z2z.a -2z39 2z38.a -2z3i 2z3h.a -2z3r
2z3q.a -2z40 2z3z.a -2z49 2z48.a -2z4i 2z4h.a -2z4r 2z4q.a -2z50 2z4z.a -2z59 2z58.a -2z5i 2z5h.a -2z5r 2z5q.a -2z60
2z5z.a -2z69 2z68.a -2z6i 2z6h.a -2z6r 2z6q.a -2z70 2z6z.a -2z79 2z78.a -2z7i 2z7h.a -2z7r 2z7q.a -2z80 2z7z.a -2z89
2z88.a -2z8i 2z8h.a -2z8r 2z8q.a -2z90 2z8z.a -2z99 2z98.a -2z9i 2z9h.a -2z9r 2z9q.a -2za0 2z9z.a -2za9 2za8.a -2zai
2zah.a -2zar 2zaq.a -2zb0 2zaz.a -2zb9 2zb8.a -2zbi 2zbh.a -2zbr 2zbq.a -2zc0 2zbz.a -2zc9 2zc8.a -2zci 2zch.a -2zcr
2zcq.a -2zd0 2zcz.a -2zd9 2zd8.a -2zdi 2zdh.a -2zdr 2zdq.a -2ze0 2zdz.a -2ze9 2ze8.a -2zei 2zeh.a -2zer 2zeq.a -2zf0
2zez.a -2zf9 2zf8.a -2zfi 2zfh.a -2zfr 2zfq.a -2zg0 2zfz.a -2zg9 2zg8.a -2zgi 2zgh.a -2zgr 2zgq.a -2zh0 2zgz.a -2zh9
2zh8.a -2zhi 2zhh.a -2zhr 2zhq.a -2zi0 2zhz.a -2zi9 2zi8.a -2zii 2zih.a -2zir 2ziq.a -2zj0 2ziz.a -2zj9 2zj8.a -2zji
2zjh.a -2zjr 2zjq.a -2zk0 2zjz.a -2zk9 2zk8.a -2zki 2zkh.a -2zkr 2zkq.a -2zl0 2zkz.a -2zl9 2zl8.a -2zli 2zlh.a -2zlr
2zlq.a -2zm0 2zlz.a -2zm9 2zm8.a -2zmi 2zmh.a -2zmr 2zmq.a -2zn0 2zmz.a -2zn9 2zn8.a -2zni 2znh.a -2znr 2znq.a -2zo0
2znz.a -2zo9 2zo8.a -2zoi 2zoh.a -2zor 2zoq.a -2zp0 2zoz.a -2zp9 2zp8.a -2zpi 2zph.a -2zpr 2zpq.a -2zq0 2zpz.a -2zq9
2zq8.a -2zqi 2zqh.a -2zqr 2zqq.a -2zr0 2zqz.a -2zr9 2zr8.a -2zri 2zrh.a -2zrr 2zrq.a -3ak0 arz 2zrz.a -2zs9 2zs8.a
-2zsi 2zsh.a -2zsr 2zsq.a -2zt0 2zsz.a -2zt9 2zt8.a -2zti 2zth.a -2ztr 2ztq.a -2zu0 2ztz.a -2zu9 2zu8.a -3amr as8
2zuh.a -2zur 2zuq.a -2zv0 2zuz.a -2zv9 2zv8.a -2zvi 2zvh.a -2zvr 2zvq.a -2zw0 2zvz.a -2zw9 2zw8.a -2zwi 2zwh.a -2zwr
2zwq.a -3api ash 2zwz.a -2zx9 2zx8.a -2zxi 2zxh.a -2zxr 2zxq.a -2zy0 2zxz.a -2zy9 2zy8.a -2zyi 2zyh.a -2zyr 2zyq.a
-2zz0 2zyz.a -2zz9 2zz8.a -3as9 asq 2zzh.a -2zzr 2zzq.a -3000 2zzz.a -3009 3008.a -300i 300h.a -300r 300q.a -3010
300z.a -3019 3018.a -301i 301h.a -301r 301q.a -3av0 asz 301z.a -3029 3028.a -302i 302h.a -302r 302q.a -3030 302z.a
-3039 3038.a -303i 303h.a -303r 303q.a -3040 303z.a -3049 3048.a -3axr at8 304h.a -304r 304q.a -3050 304z.a -3059
3058.a -305i 305h.a -305r 305q.a -3060 305z.a -3069 3068.a -306i 306h.a -306r 306q.a -3b0i ath 306z.a -3079 3078.a
-307i 307h.a -307r 307q.a -3080 307z.a -3089 3088.a -308i 308h.a -308r 308q.a -3090 308z.a -3099 3098.a -3b39 atq
309h.a -309r 309q.a -30a0 309z.a -30a9 30a8.a -30ai 30ah.a -30ar 30aq.a -30b0 30az.a -30b9 30b8.a -30bi 30bh.a -30br
30bq.a -3b60 atz 30bz.a -30c9 30c8.a -30ci 30ch.a -30cr 30cq.a -30d0 30cz.a -30d9 30d8.a -30di 30dh.a -30dr 30dq.a
-30e0 30dz.a -30e9 30e8.a -3b8r au8 30eh.a -30er 30eq.a -30f0 30ez.a -30f9 30f8.a -30fi 30fh.a -30fr 30fq.a -30g0
30fz.a -30g9 30g8.a -30gi 30gh.a -30gr 30gq.a -3bbi auh 30gz.a -30h9 30h8.a -30hi 30hh.a -30hr 30hq.a -30i0 30hz.a
-30i9 30i8.a -30ii 30ih.a -30ir 30iq.a -30j0 30iz.a -30j9 30j8.a -30ji 30jh.a -30jr 30jq.a -30k0 30jz.a -30k9 30k8.a
-30ki 30kh.a -30kr 30kq.a -30l0 30kz.a -30l9 30l8.a -30li 30lh.a -30lr 30lq.a -30m0 30lz.a -30m9 30m8.a -30mi 30mh.a
-30mr 30mq.a -30n0 30mz.a -30n9 30n8.a -30ni 30nh.a -30nr 30nq.a -30o0 30nz.a -30o9 30o8.a -30oi 30oh.a -30or 30oq.a
-30p0 30oz.a -30p9 30p8.a -30pi 30ph.a -30pr 30pq.a -30q0 30pz.a -30q9 30q8.a -30qi 30qh.a -30qr 30qq.a -30r0 30qz.a
-30r9 30r8.a -30ri 30rh.a -30rr 30rq.a -30s0 30rz.a -30s9 30s8.a -30si 30sh.a -30sr 30sq.a -30t0 30sz.a -30t9 30t8.a
-30ti 30th.a -30tr 30tq.a -30u0 30tz.a -30u9 30u8.a -30ui 30uh.a -30ur 30uq.a -30v0 30uz.a -30v9 30v8.a -30vi 30vh.a
-30vr 30vq.a -3bs0 avz 30vz.a -30w9 30w8.a -30wi 30wh.a -30wr 30wq.a -30x0 30wz.a -30x9 30x8.a -30xi 30xh.a -30xr
30xq.a -30y0 30xz.a -30y9 30y8.a -3bur aw8 30yh.a -30yr 30yq.a -30z0 30yz.a -30z9 30z8.a -30zi 30zh.a -30zr 30zq.a
-3100 30zz.a -3109 3108.a -310i 310h.a -310r 310q.a -3bxi awh 310z.a -3119 3118.a -311i 311h.a -311r 311q.a -3120
311z.a -3129 3128.a -312i 312h.a -312r 312q.a -3130 312z.a -3139 3138.a -3c09 awq 313h.a -313r 313q.a -3140 313z.a
-3149 3148.a -314i 314h.a -314r 314q.a -3150 314z.a -3159 3158.a -315i 315h.a -315r 315q.a -3c30 awz 315z.a -3169
3168.a -316i 316h.a -316r 316q.a -3170 316z.a -3179 3178.a -317i 317h.a -317r 317q.a -3180 317z.a -3189 3188.a -3c5r
ax8 318h.a -318r 318q.a -3190 318z.a -3199 3198.a -319i 319h.a -319r 319q.a -31a0 319z.a -31a9 31a8.a -31ai 31ah.a
-31ar 31aq.a -3c8i axh 31az.a -31b9 31b8.a -31bi 31bh.a -31br 31bq.a -31c0 31bz.a -31c9 31c8.a -31ci 31ch.a -31cr
31cq.a -31d0 31cz.a -31d9 31d8.a -3cb9 axq 31dh.a -31dr 31dq.a -31e0 31dz.a -31e9 31e8.a -31ei 31eh.a -31er 31eq.a
-31f0 31ez.a -31f9 31f8.a -31fi 31fh.a -31fr 31fq.a -3ce0 axz 31fz.a -31g9 31g8.a -31gi 31gh.a -31gr 31gq.a -31h0
31gz.a -31h9 31h8.a -31hi 31hh.a -31hr 31hq.a -31i0 31hz.a -31i9 31i8.a -3cgr ay8 31ih.a -31ir 31iq.a -31j0 31iz.a
-31j9 31j8.a -31ji 31jh.a -31jr 31jq.a -31k0 31jz.a -31k9 31k8.a -31ki 31kh.a -31kr 31kq.a -3cji ayh 31kz.a -31l9
31l8.a -31li 31lh.a -31lr 31lq.a -31m0 31lz.a -31m9 31m8.a -31mi 31mh.a -31mr 31mq.a -31n0 31mz.a -31n9 31n8.a -3cm9
ayq 31nh.a -31nr 31nq.a -31o0 31nz.a -31o9 31o8.a -31oi 31oh.a -31or 31oq.a -31p0 31oz.a -31p9 31p8.a -31pi 31ph.a
-31pr 31pq.a -3cp0 ayz 31pz.a -31q9 31q8.a -31qi 31qh.a -31qr 31qq.a -31r0 31qz.a -31r9 31r8.a -31ri 31rh.a -31rr
31rq.a -31s0 31rz.a -31s9 31s8.a -3crr az8 31sh.a -31sr 31sq.a -31t0 31sz.a -31t9 31t8.a -31ti 31th.a -31tr 31tq.a
-31u0 31tz.a -31u9 31u8.a -31ui 31uh.a -31ur 31uq.a -3cui azh 31uz.a -31v9 31v8.a -31vi 31vh.a -31vr 31vq.a -31w0
31vz.a -31w9 31w8.a -31wi 31wh.a -31wr 31wq.a -31x0 31wz.a -31x9 31x8.a -3cx9 azq 31xh.a -31xr 31xq.a -31y0 31xz.a
-31y9 31y8.a -31yi 31yh.a -31yr 31yq.a -31z0 31yz.a -31z9 31z8.a -31zi 31zh.a -31zr 31zq.a -3d00 azz 31zz.a -3209
3208.a -320i 320h.a -320r 320q.a -3210 320z.a -3219 3218.a -321i 321h.a -321r 321q.a -3220 321z.a -3229 3228.a -3d2r
b08 322h.a -322r 322q.a -3230 322z.a -3239 3238.a -323i 323h.a -323r 323q.a -3240 323z.a -3249 3248.a -324i 324h.a
-324r 324q.a -3d5i b0h 324z.a -3259 3258.a -325i 325h.a -325r 325q.a -3260 325z.a -3269 3268.a -326i 326h.a -326r
326q.a -3270 326z.a -3279 3278.a -3d89 b0q 327h.a -327r 327q.a -3280 327z.a -3289 3288.a -328i 328h.a -328r 328q.a
-3290 328z.a -3299 3298.a -329i 329h.a -329r 329q.a -3db0 b0z 329z.a -32a9 32a8.a -32ai 32ah.a -32ar 32aq.a -32b0
32az.a -32b9 32b8.a -32bi 32bh.a -32br 32bq.a -32c0 32bz.a -32c9 32c8.a -3ddr b18 32ch.a -32cr 32cq.a -32d0 32cz.a
-32d9 32d8.a -32di 32dh.a -32dr 32dq.a -32e0 32dz.a -32e9 32e8.a -32ei 32eh.a -32er 32eq.a -3dgi b1h 32ez.a -32f9
32f8.a -32fi 32fh.a -32fr 32fq.a -32g0 32fz.a -32g9 32g8.a -32gi 32gh.a -32gr 32gq.a -32h0 32gz.a -32h9 32h8.a -3dj9
b1q 32hh.a -32hr 32hq.a -32i0 32hz.a -32i9 32i8.a -32ii 32ih.a -32ir 32iq.a -32j0 32iz.a -32j9 32j8.a -32ji 32jh.a
-32jr 32jq.a -3dm0 b1z 32jz.a -32k9 32k8.a -32ki 32kh.a -32kr 32kq.a -32l0 32kz.a -32l9 32l8.a -32li 32lh.a -32lr
32lq.a -32m0 32lz.a -32m9 32m8.a -3dor b28 32mh.a -32mr 32mq.a -32n0 32mz.a -32n9 32n8.a -32ni 32nh.a -32nr 32nq.a
-32o0 32nz.a -32o9 32o8.a -32oi 32oh.a -32or 32oq.a -3dri b2h 32oz.a -32p9 32p8.a -32pi 32ph.a -32pr 32pq.a -32q0
32pz.a -32q9 32q8.a -32qi 32qh.a -32qr 32qq.a -32r0 32qz.a -32r9 32r8.a -3du9 b2q 32rh.a -32rr 32rq.a -32s0 32rz.a
-32s9 32s8.a -32si 32sh.a -32sr 32sq.a -32t0 32sz.a -32t9 32t8.a -32ti 32th.a -32tr 32tq.a -3dx0 b2z 32tz.a -32u9
32u8.a -32ui 32uh.a -32ur 32uq.a -32v0 32uz.a -32v9 32v8.a -32vi 32vh.a -32vr 32vq.a -32w0 32vz.a -32w9 32w8.a -3dzr
b38 32wh.a -32wr 32wq.a -32x0 32wz.a -32x9 32x8.a -32xi 32xh.a -32xr 32xq.a -32y0 32xz.a -32y9 32y8.a -32yi 32yh.a
-32yr 32yq.a -3e2i b3h 32yz.a -32z9 32z8.a -32zi 32zh.a -32zr 32zq.a -3300 32zz.a -3309 3308.a -330i 330h.a -330r
330q.a -3310 330z.a -3319 3318.a -3e59 b3q 331h.a -331r 331q.a -3320 331z.a -3329 3328.a -332i 332h.a -332r 332q.a
-3330 332z.a -3339 3338.a -333i 333h.a -333r 333q.a -3e80 b3z 333z.a -3349 3348.a -334i 334h.a -334r 334q.a -3350
334z.a -3359 3358.a -335i 335h.a -335r 335q.a -3360 335z.a -3369 3368.a -3ear b48 336h.a -336r 336q.a -3370 336z.a
-3379 3378.a -337i 337h.a -337r 337q.a -3380 337z.a -3389 3388.a -338i 338h.a -338r 338q.a -3edi b4h 338z.a -3399
3398.a -339i 339h.a -339r 339q.a -33a0 339z.a -33a9 33a8.a -33ai 33ah.a -33ar 33aq.a -33b0 33az.a -33b9 33b8.a -3eg9
b4q 33bh.a -33br 33bq.a -33c0 33bz.a -33c9 33c8.a -33ci 33ch.a -33cr 33cq.a -33d0 33cz.a -33d9 33d8.a -33di 33dh.a
-33dr 33dq.a -3ej0 b4z 33dz.a -33e9 33e8.a -33ei 33eh.a -33er 33eq.a -33f0 33ez.a -33f9 33f8.a -33fi 33fh.a -33fr
33fq.a -33g0 33fz.a -33g9 33g8.a -3elr b58 33gh.a -33gr 33gq.a -33h0 33gz.a -33h9 33h8.a -33hi 33hh.a -33hr 33hq.a
-33i0 33hz.a -33i9 33i8.a -33ii 33ih.a -33ir 33iq.a -3eoi b5h 33iz.a -33j9 33j8.a -33ji 33jh.a -33jr 33jq.a -33k0
33jz.a -33k9 33k8.a -33ki 33kh.a -33kr 33kq.a -33l0 33kz.a -33l9 33l8.a -3er9 b5q 33lh.a -33lr 33lq.a -33m0 33lz.a
-33m9 33m8.a -33mi 33mh.a -33mr 33mq.a -33n0 33mz.a -33n9 33n8.a -33ni 33nh.a -33nr 33nq.a -3eu0 b5z 33nz.a -33o9
33o8.a -33oi 33oh.a -33or 33oq.a -33p0 33oz.a -33p9 33p8.a -33pi 33ph.a -33pr 33pq.a -33q0 33pz.a -33q9 33q8.a -3ewr
b68 33qh.a -33qr 33qq.a -33r0 33qz.a -33r9 33r8.a -33ri 33rh.a -33rr 33rq.a -33s0 33rz.a -33s9 33s8.a -33si 33sh.a
-33sr 33sq.a -3ezi b6h 33sz.a -33t9 33t8.a -33ti 33th.a -33tr 33tq.a -33u0 33tz.a -33u9 33u8.a -33ui 33uh.a -33ur
33uq.a -33v0 33uz.a -33v9 33v8.a -3f29 b6q 33vh.a -33vr 33vq.a -33w0 33vz.a -33w9 33w8.a -33wi 33wh.a -33wr 33wq.a
-33x0 33wz.a -33x9 33x8.a -33xi 33xh.a -33xr 33xq.a -3f50 b6z 33xz.a -33y9 33y8.a -33yi 33yh.a -33yr 33yq.a -33z0
33yz.a -33z9 33z8.a -33zi 33zh.a -33zr 33zq.a -3400 33zz.a -3409 3408.a -3f7r b78 340h.a -340r 340q.a -3410 340z.a
-3419 3418.a -341i 341h.a -341r 341q.a -3420 341z.a -3429 3428.a -342i 342h.a -342r 342q.a -3fai b7h 342z.a -3439
3438.a -343i 343h.a -343r 343q.a -3440 343z.a -3449 3448.a -344i 344h.a -344r 344q.a -3450 344z.a -3459 3458.a -3fd9
b7q 345h.a -345r 345q.a -3460 345z.a -3469 3468.a -346i 346h.a -346r 346q.a -3470 346z.a -3479 3478.a -347i 347h.a
-347r 347q.a -3fg0 b7z 347z.a -3489 3488.a -348i 348h.a -348r 348q.a -3490 348z.a -3499 3498.a -349i 349h.a -349r
349q.a -34a0 349z.a -34a9 34a8.a -3fir b88 34ah.a -34ar 34aq.a -34b0 34az.a -34b9 34b8.a -34bi 34bh.a -34br 34bq.a
-34c0 34bz.a -34c9 34c8.a -34ci 34ch.a -34cr 34cq.a -3fli b8h 34cz.a -34d9 34d8.a -34di 34dh.a -34dr 34dq.a -34e0
34dz.a -34e9 34e8.a -34ei 34eh.a -34er 34eq.a -34f0 34ez.a -34f9 34f8.a -3fo9 b8q 34fh.a -34fr 34fq.a -34g0 34fz.a
-34g9 34g8.a -34gi 34gh.a -34gr 34gq.a -34h0 34gz.a -34h9 34h8.a -34hi 34hh.a -34hr 34hq.a -3fr0 b8z 34hz.a -34i9
34i8.a -34ii 34ih.a -34ir 34iq.a -34j0 34iz.a -34j9 34j8.a -34ji 34jh.a -34jr 34jq.a -34k0 34jz.a -34k9 34k8.a -3ftr
b98 34kh.a -34kr 34kq.a -34l0 34kz.a -34l9 34l8.a -34li 34lh.a -34lr 34lq.a -34m0 34lz.a -34m9 34m8.a -34mi 34mh.a
-34mr 34mq.a -3fwi b9h 34mz.a -34n9 34n8.a -34ni 34nh.a -34nr 34nq.a -34o0 34nz.a -34o9 34o8.a -34oi 34oh.a -34or
34oq.a -34p0 34oz.a -34p9 34p8.a -3fz9 b9q 34ph.a -34pr 34pq.a -34q0 34pz.a -34q9 34q8.a -34qi 34qh.a -34qr 34qq.a
-34r0 34qz.a -34r9 34r8.a -34ri 34rh.a -34rr 34rq.a -34s0 34rz.a -34s9 34s8.a -34si 34sh.a -34sr 34sq.a -34t0 34sz.a
-34t9 34t8.a -34ti 34th.a -34tr 34tq.a -34u0 34tz.a -34u9 34u8.a -3g4r ba8 34uh.a -34ur 34uq.a -34v0 34uz.a -34v9
34v8.a -34vi 34vh.a -34vr 34vq.a -34w0 34vz.a -34w9 34w8.a -34wi 34wh.a -34wr 34wq.a -3g7i bah 34wz.a -34x9 34x8.a
-34xi 34xh.a -34xr 34xq.a -34y0 34xz.a -34y9 34y8.a -34yi 34yh.a -34yr 34yq.a -34z0 34yz.a -34z9 34z8.a -3ga9 baq
34zh.a -34zr 34zq.a -3500 34zz.a -3509 3508.a -350i 350h.a -350r 350q.a -3510 350z.a -3519 3518.a -351i 351h.a -351r
351q.a -3gd0 baz 351z.a -3529 3528.a -352i 352h.a -352r 352q.a -3530 352z.a -3539 3538.a -353i 353h.a -353r 353q.a
-3540 353z.a -3549 3548.a -3gfr bb8 354h.a -354r 354q.a -3550 354z.a -3559 3558.a -355i 355h.a -355r 355q.a -3560
355z.a -3569 3568.a -356i 356h.a -356r 356q.a -3gii bbh 356z.a -3579 3578.a -357i 357h.a -357r 357q.a -3580 357z.a
-3589 3588.a -358i 358h.a -358r 358q.a -3590 358z.a -3599 3598.a -3gl9 bbq 359h.a -359r 359q.a -35a0 359z.a -35a9
35a8.a -35ai 35ah.a -35ar 35aq.a -35b0 35az.a -35b9 35b8.a -35bi 35bh.a -35br 35bq.a -3go0 bbz 35bz.a -35c9 35c8.a
-35ci 35ch.a -35cr 35cq.a -35d0 35cz.a -35d9 35d8.a -35di 35dh.a -35dr 35dq.a -35e0 35dz.a -35e9 35e8.a -3gqr bc8
35eh.a -35er 35eq.a -35f0 35ez.a -35f9 35f8.a -35fi 35fh.a -35fr 35fq.a -35g0 35fz.a -35g9 35g8.a -35gi 35gh.a -35gr
35gq.a -3gti bch 35gz.a -35h9 35h8.a -35hi 35hh.a -35hr 35hq.a -35i0 35hz.a -35i9 35i8.a -35ii 35ih.a -35ir 35iq.a
-35j0 35iz.a -35j9 35j8.a -3gw9 bcq 35jh.a -35jr 35jq.a -35k0 35jz.a -35k9 35k8.a -35ki 35kh.a -35kr 35kq.a -35l0
35kz.a -35l9 35l8.a -35li 35lh.a -35lr 35lq.a -3gz0 bcz 35lz.a -35m9 35m8.a -35mi 35mh.a -35mr 35mq.a -35n0 35mz.a
-35n9 35n8.a -35ni 35nh.a -35nr 35nq.a -35o0 35nz.a -35o9 35o8.a -3h1r bd8 35oh.a -35or 35oq.a -35p0 35oz.a -35p9
35p8.a -35pi 35ph.a -35pr 35pq.a -35q0 35pz.a -35q9 35q8.a -35qi 35qh.a -35qr 35qq.a -3h4i bdh 35qz.a -35r9 35r8.a
-35ri 35rh.a -35rr 35rq.a -35s0 35rz.a -35s9 35s8.a -35si 35sh.a -35sr 35sq.a -35t0 35sz.a -35t9 35t8.a -3h79 bdq
35th.a -35tr 35tq.a -35u0 35tz.a -35u9 35u8.a -35ui 35uh.a -35ur 35uq.a -35v0 35uz.a -35v9 35v8.a -35vi 35vh.a -35vr
35vq.a -3ha0 bdz 35vz.a -35w9 35w8.a -35wi 35wh.a -35wr 35wq.a -35x0 35wz.a -35x9 35x8.a -35xi 35xh.a -35xr 35xq.a
-35y0 35xz.a -35y9 35y8.a -3hcr be8 35yh.a -35yr 35yq.a -35z0 35yz.a -35z9 35z8.a -35zi 35zh.a -35zr 35zq.a -3600
35zz.a -3609 3608.a -360i 360h.a -360r 360q.a -3610 360z.a -3619 3618.a -361i 361h.a -361r 361q.a -3620 361z.a -3629
3628.a -362i 362h.a -362r 362q.a -3630 362z.a -3639 3638.a -363i 363h.a -363r 363q.a -3640 363z.a -3649 3648.a -364i
364h.a -364r 364q.a -3650 364z.a -3659 3658.a -365i 365h.a -365r 365q.a -3660 365z.a -3669 3668.a -366i 366h.a -366r
366q.a -3670 366z.a -3679 3678.a -367i 367h.a -367r 367q.a -3680 367z.a -3689 3688.a -368i 368h.a -368r 368q.a -3690
368z.a -3699 3698.a -369i 369h.a -369r 369q.a -36a0 369z.a -36a9 36a8.a -36ai 36ah.a -36ar 36aq.a -3hqi bfh 36az.a
-36b9 36b8.a -36bi 36bh.a -36br 36bq.a -36c0 36bz.a -36c9 36c8.a -36ci 36ch.a -36cr 36cq.a -36d0 36cz.a -36d9 36d8.a
-3ht9 bfq 36dh.a -36dr 36dq.a -36e0 36dz.a -36e9 36e8.a -36ei 36eh.a -36er 36eq.a -36f0 36ez.a -36f9 36f8.a -36fi
36fh.a -36fr 36fq.a -3hw0 bfz 36fz.a -36g9 36g8.a -36gi 36gh.a -36gr 36gq.a -36h0 36gz.a -36h9 36h8.a -36hi 36hh.a
-36hr 36hq.a -36i0 36hz.a -36i9 36i8.a -3hyr bg8 36ih.a -36ir 36iq.a -36j0 36iz.a -36j9 36j8.a -36ji 36jh.a -36jr
36jq.a -36k0 36jz.a -36k9 36k8.a -36ki 36kh.a -36kr 36kq.a -3i1i bgh 36kz.a -36l9 36l8.a -36li 36lh.a -36lr 36lq.a
-36m0 36lz.a -36m9 36m8.a -36mi 36mh.a -36mr 36mq.a -36n0 36mz.a -36n9 36n8.a -3i49 bgq 36nh.a -36nr 36nq.a -36o0
36nz.a -36o9 36o8.a -36oi 36oh.a -36or 36oq.a -36p0 36oz.a -36p9 36p8.a -36pi 36ph.a -36pr 36pq.a -3i70 bgz 36pz.a
-36q9 36q8.a -36qi 36qh.a -36qr 36qq.a -36r0 36qz.a -36r9 36r8.a -36ri 36rh.a -36rr 36rq.a -36s0 36rz.a -36s9 36s8.a
-3i9r bh8 36sh.a -36sr 36sq.a -36t0 36sz.a -36t9 36t8.a -36ti 36th.a -36tr 36tq.a -36u0 36tz.a -36u9 36u8.a -36ui
36uh.a -36ur 36uq.a -3ici bhh 36uz.a -36v9 36v8.a -36vi 36vh.a -36vr 36vq.a -36w0 36vz.a -36w9 36w8.a -36wi 36wh.a
-36wr 36wq.a -36x0 36wz.a -36x9 36x8.a -3if9 bhq 36xh.a -36xr 36xq.a -36y0 36xz.a -36y9 36y8.a -36yi 36yh.a -36yr
36yq.a -36z0 36yz.a -36z9 36z8.a -36zi 36zh.a -36zr 36zq.a -3ii0 bhz 36zz.a -3709 3708.a -370i 370h.a -370r 370q.a
-3710 370z.a -3719 3718.a -371i 371h.a -371r 371q.a -3720 371z.a -3729 3728.a -3ikr bi8 372h.a -372r 372q.a -3730
372z.a -3739 3738.a -373i 373h.a -373r 373q.a -3740 373z.a -3749 3748.a -374i 374h.a -374r 374q.a -3ini bih 374z.a
-3759 3758.a -375i 375h.a -375r 375q.a -3760 375z.a -3769 3768.a -376i 376h.a -376r 376q.a -3770 376z.a -3779 3778.a
-3iq9 biq 377h.a -377r 377q.a -3780 377z.a -3789 3788.a -378i 378h.a -378r 378q.a -3790 378z.a -3799 3798.a -379i
379h.a -379r 379q.a -3it0 biz 379z.a -37a9 37a8.a -37ai 37ah.a -37ar 37aq.a -37b0 37az.a -37b9 37b8.a -37bi 37bh.a
-37br 37bq.a -37c0 37bz.a -37c9 37c8.a -3ivr bj8 37ch.a -37cr 37cq.a -37d0 37cz.a -37d9 37d8.a -37di 37dh.a -37dr
37dq.a -37e0 37dz.a -37e9 37e8.a -37ei 37eh.a -37er 37eq.a -3iyi bjh 37ez.a -37f9 37f8.a -37fi 37fh.a -37fr 37fq.a
-37g0 37fz.a -37g9 37g8.a -37gi 37gh.a -37gr 37gq.a -37h0 37gz.a -37h9 37h8.a -3j19 bjq 37hh.a -37hr 37hq.a -37i0
37hz.a -37i9 37i8.a -37ii 37ih.a -37ir 37iq.a -37j0 37iz.a -37j9 37j8.a -37ji 37jh.a -37jr 37jq.a -3j40 bjz 37jz.a
-37k9 37k8.a -37ki 37kh.a -37kr 37kq.a -37l0 37kz.a -37l9 37l8.a -37li 37lh.a -37lr 37lq.a -37m0 37lz.a -37m9 37m8.a
-3j6r bk8 37mh.a -37mr 37mq.a -37n0 37mz.a -37n9 37n8.a -37ni 37nh.a -37nr 37nq.a -37o0 37nz.a -37o9 37o8.a -37oi
37oh.a -37or 37oq.a -3j9i bkh 37oz.a -37p9 37p8.a -37pi 37ph.a -37pr 37pq.a -37q0 37pz.a -37q9 37q8.a -37qi 37qh.a
-37qr 37qq.a -37r0 37qz.a -37r9 37r8.a -3jc9 bkq 37rh.a -37rr 37rq.a -37s0 37rz.a -37s9 37s8.a -37si 37sh.a -37sr
37sq.a -37t0 37sz.a -37t9 37t8.a -37ti 37th.a -37tr 37tq.a -3jf0 bkz 37tz.a -37u9 37u8.a -37ui 37uh.a -37ur 37uq.a
-37v0 37uz.a -37v9 37v8.a -37vi 37vh.a -37vr 37vq.a -37w0 37vz.a -37w9 37w8.a -3jhr bl8 37wh.a -37wr 37wq.a -37x0
37wz.a -37x9 37x8.a -37xi 37xh.a -37xr 37xq.a -37y0 37xz.a -37y9 37y8.a -37yi 37yh.a -37yr 37yq.a -3jki blh 37yz.a
-37z9 37z8.a -37zi 37zh.a -37zr 37zq.a -3800 37zz.a -3809 3808.a -380i 380h.a -380r 380q.a -3810 380z.a -3819 3818.a
-3jn9 blq 381h.a -381r 381q.a -3820 381z.a -3829 3828.a -382i 382h.a -382r 382q.a -3830 382z.a -3839 3838.a -383i
383h.a -383r 383q.a -3jq0 blz 383z.a -3849 3848.a -384i 384h.a -384r 384q.a -3850 384z.a -3859 3858.a -385i 385h.a
-385r 385q.a -3860 385z.a -3869 3868.a -3jsr bm8 386h.a -386r 386q.a -3870 386z.a -3879 3878.a -387i 387h.a -387r
387q.a -3880 387z.a -3889 3888.a -388i 388h.a -388r 388q.a -3jvi bmh 388z.a -3899 3898.a -389i 389h.a -389r 389q.a
-38a0 389z.a -38a9 38a8.a -38ai 38ah.a -38ar 38aq.a -38b0 38az.a -38b9 38b8.a -3jy9 bmq 38bh.a -38br 38bq.a -38c0
38bz.a -38c9 38c8.a -38ci 38ch.a -38cr 38cq.a -38d0 38cz.a -38d9 38d8.a -38di 38dh.a -38dr 38dq.a -3k10 bmz 38dz.a
-38e9 38e8.a -38ei 38eh.a -38er 38eq.a -38f0 38ez.a -38f9 38f8.a -38fi 38fh.a -38fr 38fq.a -38g0 38fz.a -38g9 38g8.a
-3k3r bn8 38gh.a -38gr 38gq.a -38h0 38gz.a -38h9 38h8.a -38hi 38hh.a -38hr 38hq.a -38i0 38hz.a -38i9 38i8.a -38ii
38ih.a -38ir 38iq.a -3k6i bnh 38iz.a -38j9 38j8.a -38ji 38jh.a -38jr 38jq.a -38k0 38jz.a -38k9 38k8.a -38ki 38kh.a
-38kr 38kq.a -38l0 38kz.a -38l9 38l8.a -3k99 bnq 38lh.a -38lr 38lq.a -38m0 38lz.a -38m9 38m8.a -38mi 38mh.a -38mr
38mq.a -38n0 38mz.a -38n9 38n8.a -38ni 38nh.a -38nr 38nq.a -3kc0 bnz 38nz.a -38o9 38o8.a -38oi 38oh.a -38or 38oq.a
-38p0 38oz.a -38p9 38p8.a -38pi 38ph.a -38pr 38pq.a -38q0 38pz.a -38q9 38q8.a -3ker bo8 38qh.a -38qr 38qq.a -38r0
38qz.a -38r9 38r8.a -38ri 38rh.a -38rr 38rq.a -38s0 38rz.a -38s9 38s8.a -38si 38sh.a -38sr 38sq.a -3khi boh 38sz.a
-38t9 38t8.a -38ti 38th.a -38tr 38tq.a -38u0 38tz.a -38u9 38u8.a -38ui 38uh.a -38ur 38uq.a -38v0 38uz.a -38v9 38v8.a
-3kk9 boq 38vh.a -38vr 38vq.a -38w0 38vz.a -38w9 38w8.a -38wi 38wh.a -38wr 38wq.a -38x0 38wz.a -38x9 38x8.a -38xi
38xh.a -38xr 38xq.a -3kn0 boz 38xz.a -38y9 38y8.a -38yi 38yh.a -38yr 38yq.a -38z0 38yz.a -38z9 38z8.a -38zi 38zh.a
-38zr 38zq.a -3900 38zz.a -3909 3908.a -3kpr bp8 390h.a -390r 390q.a -3910 390z.a -3919 3918.a -391i 391h.a -391r
391q.a -3920 391z.a -3929 3928.a -392i 392h.a -392r 392q.a -3ksi bph 392z.a -3939 3938.a -393i 393h.a -393r 393q.a
-3940 393z.a -3949 3948.a -394i 394h.a -394r 394q.a -3950 394z.a -3959 3958.a -3kv9 bpq 395h.a -395r 395q.a -3960
395z.a -3969 3968.a -396i 396h.a -396r 396q.a -3970 396z.a -3979 3978.a -397i 397h.a -397r 397q.a -3ky0 bpz 397z.a
-3989 3988.a -398i 398h.a -398r 398q.a -3990 398z.a -3999 3998.a -399i 399h.a -399r 399q.a -39a0 399z.a -39a9 39a8.a
-3l0r bq8 39ah.a -39ar 39aq.a -39b0 39az.a -39b9 39b8.a -39bi 39bh.a -39br 39bq.a -39c0 39bz.a -39c9 39c8.a -39ci
39ch.a -39cr 39cq.a -3l3i bqh 39cz.a -39d9 39d8.a -39di 39dh.a -39dr 39dq.a -39e0 39dz.a -39e9 39e8.a -39ei 39eh.a
-39er 39eq.a -39f0 39ez.a -39f9 39f8.a -3l69 bqq 39fh.a -39fr 39fq.a -39g0 39fz.a -39g9 39g8.a -39gi 39gh.a -39gr
39gq.a -39h0 39gz.a -39h9 39h8.a -39hi 39hh.a -39hr 39hq.a -3l90 bqz 39hz.a -39i9 39i8.a -39ii 39ih.a -39ir 39iq.a
-39j0 39iz.a -39j9 39j8.a -39ji 39jh.a -39jr 39jq.a -39k0 39jz.a -39k9 39k8.a -3lbr br8 39kh.a -39kr 39kq.a -39l0
39kz.a -39l9 39l8.a -39li 39lh.a -39lr 39lq.a -39m0 39lz.a -39m9 39m8.a -39mi 39mh.a -39mr 39mq.a -3lei brh 39mz.a
-39n9 39n8.a -39ni 39nh.a -39nr 39nq.a -39o0 39nz.a -39o9 39o8.a -39oi 39oh.a -39or 39oq.a -39p0 39oz.a -39p9 39p8.a
-3lh9 brq 39ph.a -39pr 39pq.a -39q0 39pz.a -39q9 39q8.a -39qi 39qh.a -39qr 39qq.a -39r0 39qz.a -39r9 39r8.a -39ri
39rh.a -39rr 39rq.a -3lk0 brz 39rz.a -39s9 39s8.a -39si 39sh.a -39sr 39sq.a -39t0 39sz.a -39t9 39t8.a -39ti 39th.a
-39tr 39tq.a -39u0 39tz.a -39u9 39u8.a -3lmr bs8 39uh.a -39ur 39uq.a -39v0 39uz.a -39v9 39v8.a -39vi 39vh.a -39vr
39vq.a -39w0 39vz.a -39w9 39w8.a -39wi 39wh.a -39wr 39wq.a -3lpi bsh 39wz.a -39x9 39x8.a -39xi 39xh.a -39xr 39xq.a
-39y0 39xz.a -39y9 39y8.a -39yi 39yh.a -39yr 39yq.a -39z0 39yz.a -39z9 39z8.a -3ls9 bsq 39zh.a -39zr 39zq.a -3a00
39zz.a -3a09 3a08.a -3a0i 3a0h.a -3a0r 3a0q.a -3a10 3a0z.a -3a19 3a18.a -3a1i 3a1h.a -3a1r 3a1q.a -3n1i 16h bsz 3a1z.a
-3a29 3a28.a -3a2i 3a2h.a -3a2r 3a2q.a -3a30 3a2z.a -3a39 3a38.a -3a3i 3a3h.a -3a3r 3a3q.a -3a40 3a3z.a -3a49 3a48.a
-3lxr bt8 3a4h.a -3a4r 3a4q.a -3a50 3a4z.a -3a59 3a58.a -3a5i 3a5h.a -3a5r 3a5q.a -3a60 3a5z.a -3a69 3a68.a -3a6i
3a6h.a -3a6r 3a6q.a -3m0i bth 3a6z.a -3a79 3a78.a -3a7i 3a7h.a -3a7r 3a7q.a -3a80 3a7z.a -3a89 3a88.a -3a8i 3a8h.a
-3a8r 3a8q.a -3a90 3a8z.a -3a99 3a98.a -3m39 btq 3a9h.a -3a9r 3a9q.a -3aa0 3a9z.a -3aa9 3aa8.a -3aai 3aah.a -3aar
3aaq.a -3ab0 3aaz.a -3ab9 3ab8.a -3abi 3abh.a -3abr 3abq.a -3m60 btz 3abz.a -3ac9 3ac8.a -3aci 3ach.a -3acr 3acq.a
-3ad0 3acz.a -3ad9 3ad8.a -3adi 3adh.a -3adr 3adq.a -3ae0 3adz.a -3ae9 3ae8.a -3m8r bu8 3aeh.a -3aer 3aeq.a -3af0
3aez.a -3af9 3af8.a -3afi 3afh.a -3afr 3afq.a -3ag0 3afz.a -3ag9 3ag8.a -3agi 3agh.a -3agr 3agq.a -3mbi buh 3agz.a
-3ah9 3ah8.a -3ahi 3ahh.a -3ahr 3ahq.a -3ai0 3ahz.a -3ai9 3ai8.a -3aii 3aih.a -3air 3aiq.a -3aj0 3aiz.a -3aj9 3aj8.a
-3me9 buq 3ajh.a -3ajr 3ajq.a -3ak0 3ajz.a -3ak9 3ak8.a -3aki 3akh.a -3akr 3akq.a -3al0 3akz.a -3al9 3al8.a -3ali
3alh.a -3alr 3alq.a -3mh0 buz 3alz.a -3am9 3am8.a -3ami 3amh.a -3amr 3amq.a -3an0 3amz.a -3an9 3an8.a -3ani 3anh.a
-3anr 3anq.a -3ao0 3anz.a -3ao9 3ao8.a -3mjr bv8 3aoh.a -3aor 3aoq.a -3ap0 3aoz.a -3ap9 3ap8.a -3api 3aph.a -3apr
3apq.a -3aq0 3apz.a -3aq9 3aq8.a -3aqi 3aqh.a -3aqr 3aqq.a -3mmi bvh 3aqz.a -3ar9 3ar8.a -3ari 3arh.a -3arr 3arq.a
-3as0 3arz.a -3as9 3as8.a -3asi 3ash.a -3asr 3asq.a -3at0 3asz.a -3at9 3at8.a -3mp9 bvq 3ath.a -3atr 3atq.a -3au0
3atz.a -3au9 3au8.a -3aui 3auh.a -3aur 3auq.a -3av0 3auz.a -3av9 3av8.a -3avi 3avh.a -3avr 3avq.a -3ms0 bvz 3avz.a
-3aw9 3aw8.a -3awi 3awh.a -3awr 3awq.a -3ax0 3awz.a -3ax9 3ax8.a -3axi 3axh.a -3axr 3axq.a -3ay0 3axz.a -3ay9 3ay8.a
-3mur bw8 3ayh.a -3ayr 3ayq.a -3az0 3ayz.a -3az9 3az8.a -3azi 3azh.a -3azr 3azq.a -3b00 3azz.a -3b09 3b08.a -3b0i
3b0h.a -3b0r 3b0q.a -3mxi bwh 3b0z.a -3b19 3b18.a -3b1i 3b1h.a -3b1r 3b1q.a -3b20 3b1z.a -3b29 3b28.a -3b2i 3b2h.a
-3b2r 3b2q.a -3b30 3b2z.a -3b39 3b38.a -3n09 bwq 3b3h.a -3b3r 3b3q.a -3b40 3b3z.a -3b49 3b48.a -3b4i 3b4h.a -3b4r
3b4q.a -3b50 3b4z.a -3b59 3b58.a -3b5i 3b5h.a -3b5r 3b5q.a -3n30 bwz 3b5z.a -3b69 3b68.a -3b6i 3b6h.a -3b6r 3b6q.a
-3b70 3b6z.a -3b79 3b78.a -3b7i 3b7h.a -3b7r 3b7q.a -3b80 3b7z.a -3b89 3b88.a -3n5r bx8 3b8h.a -3b8r 3b8q.a -3b90
3b8z.a -3b99 3b98.a -3b9i 3b9h.a -3b9r 3b9q.a -3ba0 3b9z.a -3ba9 3ba8.a -3bai 3bah.a -3bar 3baq.a -3n8i bxh 3baz.a
-3bb9 3bb8.a -3bbi 3bbh.a -3bbr 3bbq.a -3bc0 3bbz.a -3bc9 3bc8.a -3bci 3bch.a -3bcr 3bcq.a -3bd0 3bcz.a -3bd9 3bd8.a
-3nb9 bxq 3bdh.a -3bdr 3bdq.a -3be0 3bdz.a -3be9 3be8.a -3bei 3beh.a -3ber 3beq.a -3bf0 3bez.a -3bf9 3bf8.a -3bfi
3bfh.a -3bfr 3bfq.a -3ne0 bxz 3bfz.a -3bg9 3bg8.a -3bgi 3bgh.a -3bgr 3bgq.a -3bh0 3bgz.a -3bh9 3bh8.a -3bhi 3bhh.a
-3bhr 3bhq.a -3bi0 3bhz.a -3bi9 3bi8.a -3ngr by8 3bih.a -3bir 3biq.a -3bj0 3biz.a -3bj9 3bj8.a -3bji 3bjh.a -3bjr
3bjq.a -3bk0 3bjz.a -3bk9 3bk8.a -3bki 3bkh.a -3bkr 3bkq.a -3nji byh 3bkz.a -3bl9 3bl8.a -3bli 3blh.a -3blr 3blq.a
-3bm0 3blz.a -3bm9 3bm8.a -3bmi 3bmh.a -3bmr 3bmq.a -3bn0 3bmz.a -3bn9 3bn8.a -3nm9 byq 3bnh.a -3bnr 3bnq.a -3bo0
3bnz.a -3bo9 3bo8.a -3boi 3boh.a -3bor 3boq.a -3bp0 3boz.a -3bp9 3bp8.a -3bpi 3bph.a -3bpr 3bpq.a -3np0 byz 3bpz.a
-3bq9 3bq8.a -3bqi 3bqh.a -3bqr 3bqq.a -3br0 3bqz.a -3br9 3br8.a -3bri 3brh.a -3brr 3brq.a -3bs0 3brz.a -3bs9 3bs8.a
-3nrr bz8 3bsh.a -3bsr 3bsq.a -3bt0 3bsz.a -3bt9 3bt8.a -3bti 3bth.a -3btr 3btq.a -3bu0 3btz.a -3bu9 3bu8.a -3bui
3buh.a -3bur 3buq.a -3nui bzh 3buz.a -3bv9 3bv8.a -3bvi 3bvh.a -3bvr 3bvq.a -3bw0 3bvz.a -3bw9 3bw8.a -3bwi 3bwh.a
-3bwr 3bwq.a -3bx0 3bwz.a -3bx9 3bx8.a -3nx9 bzq 3bxh.a -3bxr 3bxq.a -3by0 3bxz.a -3by9 3by8.a -3byi 3byh.a -3byr
3byq.a -3bz0 3byz.a -3bz9 3bz8.a -3bzi 3bzh.a -3bzr 3bzq.a -3o00 bzz 3bzz.a -3c09 3c08.a -3c0i 3c0h.a -3c0r 3c0q.a
-3c10 3c0z.a -3c19 3c18.a -3c1i 3c1h.a -3c1r 3c1q.a -3c20 3c1z.a -3c29 3c28.a -3o2r c08 3c2h.a -3c2r 3c2q.a -3c30
3c2z.a -3c39 3c38.a -3c3i 3c3h.a -3c3r 3c3q.a -3c40 3c3z.a -3c49 3c48.a -3c4i 3c4h.a -3c4r 3c4q.a -3o5i c0h 3c4z.a
-3c59 3c58.a -3c5i 3c5h.a -3c5r 3c5q.a -3c60 3c5z.a -3c69 3c68.a -3c6i 3c6h.a -3c6r 3c6q.a -3c70 3c6z.a -3c79 3c78.a
-3o89 c0q 3c7h.a -3c7r 3c7q.a -3c80 3c7z.a -3c89 3c88.a -3c8i 3c8h.a -3c8r 3c8q.a -3c90 3c8z.a -3c99 3c98.a -3c9i
3c9h.a -3c9r 3c9q.a -3ob0 c0z 3c9z.a -3ca9 3ca8.a -3cai 3cah.a -3car 3caq.a -3cb0 3caz.a -3cb9 3cb8.a -3cbi 3cbh.a
-3cbr 3cbq.a -3cc0 3cbz.a -3cc9 3cc8.a -3odr c18 3cch.a -3ccr 3ccq.a -3cd0 3ccz.a -3cd9 3cd8.a -3cdi 3cdh.a -3cdr
3cdq.a -3ce0 3cdz.a -3ce9 3ce8.a -3cei 3ceh.a -3cer 3ceq.a -3ogi c1h 3cez.a -3cf9 3cf8.a -3cfi 3cfh.a -3cfr 3cfq.a
-3cg0 3cfz.a -3cg9 3cg8.a -3cgi 3cgh.a -3cgr 3cgq.a -3ch0 3cgz.a -3ch9 3ch8.a -3oj9 c1q 3chh.a -3chr 3chq.a -3ci0
3chz.a -3ci9 3ci8.a -3cii 3cih.a -3cir 3ciq.a -3cj0 3ciz.a -3cj9 3cj8.a -3cji 3cjh.a -3cjr 3cjq.a -3om0 c1z 3cjz.a
-3ck9 3ck8.a -3cki 3ckh.a -3ckr 3ckq.a -3cl0 3ckz.a -3cl9 3cl8.a -3cli 3clh.a -3clr 3clq.a -3cm0 3clz.a -3cm9 3cm8.a
-3oor c28 3cmh.a -3cmr 3cmq.a -3cn0 3cmz.a -3cn9 3cn8.a -3cni 3cnh.a -3cnr 3cnq.a -3co0 3cnz.a -3co9 3co8.a -3coi
3coh.a -3cor 3coq.2 -3ora c2h.3 3cpl.6 -3cpr 3cpq.a -3cq0 3cpz.a -3cq9 3cq8.a -3cqi 3cqh.a -3cqr 3cqq.a -3cr0 3cqz.a
-3cr9 3cr8.a -3ou9 c2q 3crh.a -3crr 3crq.a -3cs0 3crz.a -3cs9 3cs8.a -3csi 3csh.a -3csr 3csq.a -3ct0 3csz.a -3ct9
3ct8.a -3cti 3cth.a -3ctr 3ctq.a -3ox0 c2z 3ctz.a -3cu9 3cu8.a -3cui 3cuh.a -3cur 3cuq.a -3cv0 3cuz.a -3cv9 3cv8.a
-3cvi 3cvh.a -3cvr 3cvq.a -3cw0 3cvz.a -3cw9 3cw8.a -3ozr c38 3cwh.a -3cwr 3cwq.a -3cx0 3cwz.a -3cx9 3cx8.a -3cxi
3cxh.a -3cxr 3cxq.a -3cy0 3cxz.a -3cy9 3cy8.a -3cyi 3cyh.a -3cyr 3cyq.a -3p2i c3h 3cyz.a -3cz9 3cz8.a -3czi 3czh.a
-3czr 3czq.a -3d00 3czz.a -3d09 3d08.a -3d0i 3d0h.a -3d0r 3d0q.a -3d10 3d0z.a -3d19 3d18.a -3p59 c3q 3d1h.a -3d1r
3d1q.a -3d20 3d1z.a -3d29 3d28.a -3d2i 3d2h.a -3d2r 3d2q.a -3d30 3d2z.a -3d39 3d38.a -3d3i 3d3h.a -3d3r 3d3q.a -3p80
c3z 3d3z.a -3d49 3d48.a -3d4i 3d4h.a -3d4r 3d4q.a -3d50 3d4z.a -3d59 3d58.a -3d5i 3d5h.a -3d5r 3d5q.a -3d60 3d5z.a
-3d69 3d68.a -3par c48 3d6h.a -3d6r 3d6q.a -3d70 3d6z.a -3d79 3d78.a -3d7i 3d7h.a -3d7r 3d7q.a -3d80 3d7z.a -3d89
3d88.a -3d8i 3d8h.a -3d8r 3d8q.a -3pdi c4h 3d8z.a -3d99 3d98.a -3d9i 3d9h.a -3d9r 3d9q.a -3da0 3d9z.a -3da9 3da8.a
-3dai 3dah.a -3dar 3daq.a -3db0 3daz.a -3db9 3db8.a -3pg9 c4q 3dbh.a -3dbr 3dbq.a -3dc0 3dbz.a -3dc9 3dc8.a -3dci
3dch.a -3dcr 3dcq.a -3dd0 3dcz.a -3dd9 3dd8.a -3ddi 3ddh.a -3ddr 3ddq.a -3de0 3ddz.a -3de9 3de8.a -3dei 3deh.a -3der
3deq.a -3df0 3dez.a -3df9 3df8.a -3dfi 3dfh.a -3dfr 3dfq.a -3dg0 3dfz.a -3dg9 3dg8.a -3plr c58 3dgh.a -3dgr 3dgq.a
-3dh0 3dgz.a -3dh9 3dh8.a -3dhi 3dhh.a -3dhr 3dhq.a -3di0 3dhz.a -3di9 3di8.a -3dii 3dih.a -3dir 3diq.a -3poi c5h
3diz.a -3dj9 3dj8.a -3dji 3djh.a -3djr 3djq.a -3dk0 3djz.a -3dk9 3dk8.a -3dki 3dkh.a -3dkr 3dkq.a -3dl0 3dkz.a -3dl9
3dl8.a -3pr9 c5q 3dlh.a -3dlr 3dlq.a -3dm0 3dlz.a -3dm9 3dm8.a -3dmi 3dmh.a -3dmr 3dmq.a -3dn0 3dmz.a -3dn9 3dn8.a
-3dni 3dnh.a -3dnr 3dnq.a -3pu0 c5z 3dnz.a -3do9 3do8.a -3doi 3doh.a -3dor 3doq.a -3dp0 3doz.a -3dp9 3dp8.a -3dpi
3dph.a -3dpr 3dpq.a -3dq0 3dpz.a -3dq9 3dq8.a -3pwr c68 3dqh.a -3dqr 3dqq.a -3dr0 3dqz.a -3dr9 3dr8.a -3dri 3drh.a
-3drr 3drq.a -3ds0 3drz.a -3ds9 3ds8.a -3dsi 3dsh.a -3dsr 3dsq.a -3pzi c6h 3dsz.a -3dt9 3dt8.a -3dti 3dth.a -3dtr
3dtq.a -3du0 3dtz.a -3du9 3du8.a -3dui 3duh.a -3dur 3duq.a -3dv0 3duz.a -3dv9 3dv8.a -3q29 c6q 3dvh.a -3dvr 3dvq.a
-3dw0 3dvz.a -3dw9 3dw8.a -3dwi 3dwh.a -3dwr 3dwq.a -3dx0 3dwz.a -3dx9 3dx8.a -3dxi 3dxh.a -3dxr 3dxq.a -3q50 c6z
3dxz.a -3dy9 3dy8.a -3dyi 3dyh.a -3dyr 3dyq.a -3dz0 3dyz.a -3dz9 3dz8.a -3dzi 3dzh.a -3dzr 3dzq.a -3e00 3dzz.a -3e09
3e08.a -3e0i 3e0h.a -3e0r 3e0q.a -3e10 3e0z.a -3e19 3e18.a -3e1i 3e1h.a -3e1r 3e1q.a -3e20 3e1z.a -3e29 3e28.a -3e2i
3e2h.a -3e2r 3e2q.a -3e30 3e2z.a -3e39 3e38.a -3e3i 3e3h.a -3e3r 3e3q.a -3e40 3e3z.a -3e49 3e48.a -3e4i 3e4h.a -3e4r
3e4q.a -3e50 3e4z.a -3e59 3e58.a -3e5i 3e5h.a -3e5r 3e5q.a -3e60 3e5z.a -3e69 3e68.a -3e6i 3e6h.a -3e6r 3e6q.a -3e70
3e6z.a -3e79 3e78.a -3e7i 3e7h.a -3e7r 3e7q.a -3e80 3e7z.a -3e89 3e88.a -3e8i 3e8h.a -3e8r 3e8q.a -3e90 3e8z.a -3e99
3e98.a -3e9i 3e9h.a -3e9r 3e9q.a -3ea0 3e9z.a -3ea9 3ea8.a -3qir c88 3eah.a -3ear 3eaq.a -3eb0 3eaz.a -3eb9 3eb8.a
-3ebi 3ebh.a -3ebr 3ebq.a -3ec0 3ebz.a -3ec9 3ec8.a -3eci 3ech.a -3ecr 3ecq.a -3qli c8h 3ecz.a -3ed9 3ed8.a -3edi
3edh.a -3edr 3edq.a -3ee0 3edz.a -3ee9 3ee8.a -3eei 3eeh.a -3eer 3eeq.a -3ef0 3eez.a -3ef9 3ef8.a -3qo9 c8q 3efh.a
-3efr 3efq.a -3eg0 3efz.a -3eg9 3eg8.a -3egi 3egh.a -3egr 3egq.a -3eh0 3egz.a -3eh9 3eh8.a -3ehi 3ehh.a -3ehr 3ehq.a
-3qr0 c8z 3ehz.a -3ei9 3ei8.a -3eii 3eih.a -3eir 3eiq.a -3ej0 3eiz.a -3ej9 3ej8.a -3eji 3ejh.a -3ejr 3ejq.a -3ek0
3ejz.a -3ek9 3ek8.a -3qtr c98 3ekh.a -3ekr 3ekq.a -3el0 3ekz.a -3el9 3el8.a -3eli 3elh.a -3elr 3elq.a -3em0 3elz.a
-3em9 3em8.a -3emi 3emh.a -3emr 3emq.a -3qwi c9h 3emz.a -3en9 3en8.a -3eni 3enh.a -3enr 3enq.a -3eo0 3enz.a -3eo9
3eo8.a -3eoi 3eoh.a -3eor 3eoq.a -3ep0 3eoz.a -3ep9 3ep8.a -3qz9 c9q 3eph.a -3epr 3epq.a -3eq0 3epz.a -3eq9 3eq8.a
-3eqi 3eqh.a -3eqr 3eqq.a -3er0 3eqz.a -3er9 3er8.a -3eri 3erh.a -3err 3erq.a -3r20 c9z 3erz.a -3es9 3es8.a -3esi
3esh.a -3esr 3esq.a -3et0 3esz.a -3et9 3et8.a -3eti 3eth.a -3etr 3etq.a -3eu0 3etz.a -3eu9 3eu8.a -3eui 3euh.a -3eur
3euq.a -3ev0 3euz.a -3ev9 3ev8.a -3evi 3evh.a -3evr 3evq.a -3ew0 3evz.a -3ew9 3ew8.a -3ewi 3ewh.a -3ewr 3ewq.a -3ex0
3ewz.a -3ex9 3ex8.a -3exi 3exh.a -3exr 3exq.a -3ey0 3exz.a -3ey9 3ey8.a -3eyi 3eyh.a -3eyr 3eyq.a -3ez0 3eyz.a -3ez9
3ez8.a -3ezi 3ezh.a -3ezr 3ezq.a -3f00 3ezz.a -3f09 3f08.a -3f0i 3f0h.a -3f0r 3f0q.a -3f10 3f0z.a -3f19 3f18.a -3f1i
3f1h.a -3f1r 3f1q.a -3f20 3f1z.a -3f29 3f28.a -3f2i 3f2h.a -3f2r 3f2q.a -3f30 3f2z.a -3f39 3f38.a -3f3i 3f3h.a -3f3r
3f3q.a -3f40 3f3z.a -3f49 3f48.a -3rfr cb8 3f4h.a -3f4r 3f4q.a -3f50 3f4z.a -3f59 3f58.a -3f5i 3f5h.a -3f5r 3f5q.a
-3f60 3f5z.a -3f69 3f68.a -3f6i 3f6h.a -3f6r 3f6q.a -3rii cbh 3f6z.a -3f79 3f78.a -3f7i 3f7h.a -3f7r 3f7q.a -3f80
3f7z.a -3f89 3f88.a -3f8i 3f8h.a -3f8r 3f8q.a -3f90 3f8z.a -3f99 3f98.a -3rl9 cbq 3f9h.a -3f9r 3f9q.a -3fa0 3f9z.a
-3fa9 3fa8.a -3fai 3fah.a -3far 3faq.a -3fb0 3faz.a -3fb9 3fb8.a -3fbi 3fbh.a -3fbr 3fbq.a -3ro0 cbz 3fbz.a -3fc9
3fc8.a -3fci 3fch.a -3fcr 3fcq.a -3fd0 3fcz.a -3fd9 3fd8.a -3fdi 3fdh.a -3fdr 3fdq.a -3fe0 3fdz.a -3fe9 3fe8.a -3rqr
cc8 3feh.a -3fer 3feq.a -3ff0 3fez.a -3ff9 3ff8.a -3ffi 3ffh.a -3ffr 3ffq.a -3fg0 3ffz.a -3fg9 3fg8.a -3fgi 3fgh.a
-3fgr 3fgq.a -3rti cch 3fgz.a -3fh9 3fh8.a -3fhi 3fhh.a -3fhr 3fhq.a -3fi0 3fhz.a -3fi9 3fi8.a -3fii 3fih.a -3fir
3fiq.a -3fj0 3fiz.a -3fj9 3fj8.a -3rw9 ccq 3fjh.a -3fjr 3fjq.a -3fk0 3fjz.a -3fk9 3fk8.a -3fki 3fkh.a -3fkr 3fkq.a
-3fl0 3fkz.a -3fl9 3fl8.7 -3flf 3fll.6 -3flr 3flq.a -3rz0 ccz 3flz.a -3fm9 3fm8.a -3fmi 3fmh.a -3fmr 3fmq.a -3fn0
3fmz.a -3fn9 3fn8.a -3fni 3fnh.a -3fnr 3fnq.a -3fo0 3fnz.a -3fo9 3fo8.a -3s1r cd8 3foh.a -3for 3foq.a -3fp0 3foz.a
-3fp9 3fp8.a -3fpi 3fph.a -3fpr 3fpq.a -3fq0 3fpz.a -3fq9 3fq8.a -3fqi 3fqh.a -3fqr 3fqq.a -3s4i cdh 3fqz.6 2.2 -3fr9
3fr8.a -3fri 3frh.a -3frr 3frq.a -3fs0 3frz.a -3fs9 3fs8.a -3fsi 3fsh.a -3fsr 3fsq.a -3ft0 3fsz.a -3ft9 3ft8.a -3s79
cdq 3fth.a -3ftr 3ftq.a -3fu0 3ftz.a -3fu9 3fu8.a -3fui 3fuh.a -3fur 3fuq.a -3fv0 3fuz.a -3fv9 3fv8.a -3fvi 3fvh.a
-3fvr 3fvq.a -3sa0 cdz 3fvz.a -3fw9 3fw8.a -3fwi 3fwh.a -3fwr 3fwq.a -3fx0 3fwz.a -3fx9 3fx8.a -3fxi 3fxh.a -3fxr
3fxq.a -3fy0 3fxz.a -3fy9 3fy8.a -3scr ce8 3fyh.a -3fyr 3fyq.a -3fz0 3fyz.a -3fz9 3fz8.a -3fzi 3fzh.a -3fzr 3fzq.a
-3g00 3fzz.a -3g09 3g08.a -3g0i 3g0h.a -3g0r 3g0q.a -3sfi ceh 3g0z.a -3g19 3g18.a -3g1i 3g1h.a -3g1r 3g1q.a -3g20
3g1z.a -3g29 3g28.a -3g2i 3g2h.a -3g2r 3g2q.a -3g30 3g2z.a -3g39 3g38.a -3si9 ceq 3g3h.a -3g3r 3g3q.a -3g40 3g3z.a
-3g49 3g48.a -3g4i 3g4h.a -3g4r 3g4q.a -3g50 3g4z.a -3g59 3g58.a -3g5i 3g5h.a -3g5r 3g5q.a -3sl0 cez 3g5z.a -3g69
3g68.a -3g6i 3g6h.a -3g6r 3g6q.a -3g70 3g6z.a -3g79 3g78.a -3g7i 3g7h.a -3g7r 3g7q.a -3g80 3g7z.a -3g89 3g88.a -3g8i
3g8h.a -3g8r 3g8q.a -3g90 3g8z.a -3g99 3g98.a -3g9i 3g9h.a -3g9r 3g9q.a -3ga0 3g9z.a -3ga9 3ga8.a -3gai 3gah.a -3gar
3gaq.a -3gb0 3gaz.a -3gb9 3gb8.a -3gbi 3gbh.a -3gbr 3gbq.a -3gc0 3gbz.a -3gc9 3gc8.a -3gci 3gch.a -3gcr 3gcq.a -3gd0
3gcz.a -3gd9 3gd8.a -3st9 cfq 3gdh.a -3gdr 3gdq.a -3ge0 3gdz.a -3ge9 3ge8.a -3gei 3geh.a -3ger 3geq.a -3gf0 3gez.a
-3gf9 3gf8.a -3gfi 3gfh.a -3gfr 3gfq.a -3gg0 3gfz.a -3gg9 3gg8.a -3ggi 3ggh.a -3ggr 3ggq.a -3gh0 3ggz.a -3gh9 3gh8.a
-3ghi 3ghh.a -3ghr 3ghq.a -3gi0 3ghz.a -3gi9 3gi8.a -3gii 3gih.a -3gir 3giq.a -3gj0 3giz.a -3gj9 3gj8.a -3gji 3gjh.a
-3gjr 3gjq.a -3gk0 3gjz.a -3gk9 3gk8.a -3gki 3gkh.a -3gkr 3gkq.a -3gl0 3gkz.a -3gl9 3gl8.a -3gli 3glh.a -3glr 3glq.a
-3gm0 3glz.a -3gm9 3gm8.a -3gmi 3gmh.a -3gmr 3gmq.a -3gn0 3gmz.a -3gn9 3gn8.a -3gni 3gnh.a -3gnr 3gnq.a -3go0 3gnz.a
-3go9 3go8.a -3goi 3goh.a -3gor 3goq.a -3gp0 3goz.a -3gp9 3gp8.a -3gpi 3gph.a -3gpr 3gpq.a -3gq0 3gpz.a -3gq9 3gq8.a
-3gqi 3gqh.a -3gqr 3gqq.a -3gr0 3gqz.a -3gr9 3gr8.a -3gri 3grh.a -3grr 3grq.a -3gs0 3grz.a -3gs9 3gs8.a -3gsi 3gsh.a
-3gsr 3gsq.a -3gt0 3gsz.a -3gt9 3gt8.a -3gti 3gth.a -3gtr 3gtq.a -3gu0 3gtz.a -3gu9 3gu8.a -3gui 3guh.a -3gur 3guq.a
-3gv0 3guz.a -3gv9 3gv8.a -3gvi 3gvh.a -3gvr 3gvq.a -3gw0 3gvz.a -3gw9 3gw8.a -3gwi 3gwh.a -3gwr 3gwq.a -3gx0 3gwz.a
-3gx9 3gx8.a -3gxi 3gxh.a -3gxr 3gxq.a -3gy0 3gxz.a -3gy9 3gy8.a -3gyi 3gyh.a -3gyr 3gyq.a -3gz0 3gyz.a -3gz9 3gz8.a
-3gzi 3gzh.a -3gzr 3gzq.a -3h00 3gzz.a -3h09 3h08.a -3h0i 3h0h.a -3h0r 3h0q.a -3h10 3h0z.a -3h19 3h18.a -3h1i 3h1h.a
-3h1r 3h1q.a -3h20 3h1z.a -3h29 3h28.a -3h2i 3h2h.a -3h2r 3h2q.a -3h30 3h2z.a -3h39 3h38.a -3h3i 3h3h.a -3h3r 3h3q.a
-3h40 3h3z.a -3h49 3h48.a -3h4i 3h4h.a -3h4r 3h4q.a -3h50 3h4z.a -3h59 3h58.a -3h5i 3h5h.a -3h5r 3h5q.a -3h60 3h5z.a
-3h69 3h68.a -3h6i 3h6h.a -3h6r 3h6q.a -3h70 3h6z.a -3h79 3h78.a -3h7i 3h7h.a -3h7r 3h7q.a -3h80 3h7z.a -3h89 3h88.a
-3h8i 3h8h.a -3h8r 3h8q.a -3h90 3h8z.a -3h99 3h98.a -3h9i 3h9h.a -3h9r 3h9q.a -3ha0 3h9z.a -3ha9 3ha8.a -3hai 3hah.a
-3har 3haq.a -3hb0 3haz.a -3hb9 3hb8.a -3hbi 3hbh.a -3hbr 3hbq.a -3hc0 3hbz.a -3hc9 3hc8.a -3hci 3hch.a -3hcr 3hcq.a
-3hd0 3hcz.a -3hd9 3hd8.a -3hdi 3hdh.a -3hdr 3hdq.a -3he0 3hdz.a -3he9 3he8.a -3hei 3heh.a -3her 3heq.a -3hf0 3hez.a
-3hf9 3hf8.a -3hfi 3hfh.a -3hfr 3hfq.a -3hg0 3hfz.a -3hg9 3hg8.a -3hgi 3hgh.a -3hgr 3hgq.a -3hh0 3hgz.a -3hh9 3hh8.a
-3hhi 3hhh.a -3hhr 3hhq.a -3hi0 3hhz.a -3hi9 3hi8.a -3hii 3hih.a -3hir 3hiq.a -3hj0 3hiz.a -3hj9 3hj8.a -3hji 3hjh.a
-3hjr 3hjq.a -3u40 cjz 3hjz.a -3hk9 3hk8.a -3hki 3hkh.a -3hkr 3hkq.a -3hl0 3hkz.a -3hl9 3hl8.a -3hli 3hlh.a -3hlr
3hlq.a -3hm0 3hlz.a -3hm9 3hm8.a -3u6r ck8 3hmh.a -3hmr 3hmq.a -3hn0 3hmz.a -3hn9 3hn8.a -3hni 3hnh.a -3hnr 3hnq.a
-3ho0 3hnz.a -3ho9 3ho8.a -3hoi 3hoh.a -3hor 3hoq.a -3vir 198 ckh 3hoz.a -3hp9 3hp8.a -3hpi 3hph.a -3hpr 3hpq.a -3hq0
3hpz.a -3hq9 3hq8.a -3hqi 3hqh.a -3hqr 3hqq.a -3hr0 3hqz.a -3hr9 3hr8.a -3uc9 ckq 3hrh.a -3hrr 3hrq.a -3hs0 3hrz.a
-3hs9 3hs8.a -3hsi 3hsh.a -3hsr 3hsq.a -3ht0 3hsz.a -3ht9 3ht8.a -3hti 3hth.a -3htr 3htq.a -3uf0 ckz 3htz.a -3hu9
3hu8.a -3hui 3huh.a -3hur 3huq.a -3hv0 3huz.a -3hv9 3hv8.a -3hvi 3hvh.a -3hvr 3hvq.a -3hw0 3hvz.a -3hw9 3hw8.a -3uhr
cl8 3hwh.a -3hwr 3hwq.a -3hx0 3hwz.a -3hx9 3hx8.a -3hxi 3hxh.a -3hxr 3hxq.a -3hy0 3hxz.a -3hy9 3hy8.a -3hyi 3hyh.a
-3hyr 3hyq.a -3uki clh 3hyz.a -3hz9 3hz8.a -3hzi 3hzh.a -3hzr 3hzq.a -3i00 3hzz.a -3i09 3i08.a -3i0i 3i0h.a -3i0r
3i0q.a -3i10 3i0z.a -3i19 3i18.a -3un9 clq 3i1h.a -3i1r 3i1q.a -3i20 3i1z.a -3i29 3i28.a -3i2i 3i2h.a -3i2r 3i2q.a
-3i30 3i2z.a -3i39 3i38.a -3i3i 3i3h.a -3i3r 3i3q.a -3uq0 clz 3i3z.a -3i49 3i48.a -3i4i 3i4h.a -3i4r 3i4q.a -3i50
3i4z.a -3i59 3i58.a -3i5i 3i5h.a -3i5r 3i5q.a -3i60 3i5z.a -3i69 3i68.a -3usr cm8 3i6h.a -3i6r 3i6q.a -3i70 3i6z.a
-3i79 3i78.a -3i7i 3i7h.a -3i7r 3i7q.a -3i80 3i7z.a -3i89 3i88.a -3i8i 3i8h.a -3i8r 3i8q.a -3uvi cmh 3i8z.a -3i99
3i98.a -3i9i 3i9h.a -3i9r 3i9q.a -3ia0 3i9z.a -3ia9 3ia8.a -3iai 3iah.a -3iar 3iaq.a -3ib0 3iaz.a -3ib9 3ib8.a -3uy9
cmq 3ibh.a -3ibr 3ibq.a -3ic0 3ibz.a -3ic9 3ic8.a -3ici 3ich.a -3icr 3icq.a -3id0 3icz.a -3id9 3id8.a -3idi 3idh.a
-3idr 3idq.a -3v10 cmz 3idz.a -3ie9 3ie8.a -3iei 3ieh.a -3ier 3ieq.a -3if0 3iez.a -3if9 3if8.a -3ifi 3ifh.a -3ifr
3ifq.a -3ig0 3ifz.a -3ig9 3ig8.a -3v3r cn8 3igh.a -3igr 3igq.a -3ih0 3igz.a -3ih9 3ih8.a -3ihi 3ihh.a -3ihr 3ihq.a
-3ii0 3ihz.a -3ii9 3ii8.a -3iii 3iih.a -3iir 3iiq.a -3v6i cnh 3iiz.a -3ij9 3ij8.a -3iji 3ijh.a -3ijr 3ijq.a -3ik0
3ijz.a -3ik9 3ik8.a -3iki 3ikh.a -3ikr 3ikq.a -3il0 3ikz.a -3il9 3il8.a -3v99 cnq 3ilh.a -3ilr 3ilq.a -3im0 3ilz.a
-3im9 3im8.a -3imi 3imh.a -3imr 3imq.a -3in0 3imz.a -3in9 3in8.a -3ini 3inh.a -3inr 3inq.a -3vc0 cnz 3inz.a -3io9
3io8.a -3ioi 3ioh.a -3ior 3ioq.a -3ip0 3ioz.a -3ip9 3ip8.a -3ipi 3iph.a -3ipr 3ipq.a -3iq0 3ipz.a -3iq9 3iq8.a -3ver
co8 3iqh.a -3iqr 3iqq.a -3ir0 3iqz.a -3ir9 3ir8.a -3iri 3irh.a -3irr 3irq.a -3is0 3irz.a -3is9 3is8.a -3isi 3ish.a
-3isr 3isq.a -3vhi coh 3isz.a -3it9 3it8.a -3iti 3ith.a -3itr 3itq.a -3iu0 3itz.a -3iu9 3iu8.a -3iui 3iuh.a -3iur
3iuq.a -3iv0 3iuz.a -3iv9 3iv8.a -3vk9 coq 3ivh.a -3ivr 3ivq.a -3iw0 3ivz.a -3iw9 3iw8.a -3iwi 3iwh.a -3iwr 3iwq.a
-3ix0 3iwz.a -3ix9 3ix8.a -3ixi 3ixh.a -3ixr 3ixq.a -3vn0 coz 3ixz.a -3iy9 3iy8.a -3iyi 3iyh.a -3iyr 3iyq.a -3iz0
3iyz.a -3iz9 3iz8.a -3izi 3izh.a -3izr 3izq.a -3j00 3izz.a -3j09 3j08.a -3vpr cp8 3j0h.a -3j0r 3j0q.a -3j10 3j0z.a
-3j19 3j18.a -3j1i 3j1h.a -3j1r 3j1q.a -3j20 3j1z.a -3j29 3j28.a -3j2i 3j2h.a -3j2r 3j2q.a -3vsi cph 3j2z.a -3j39
3j38.a -3j3i 3j3h.a -3j3r 3j3q.a -3j40 3j3z.a -3j49 3j48.a -3j4i 3j4h.a -3j4r 3j4q.a -3j50 3j4z.a -3j59 3j58.a -3vv9
cpq 3j5h.a -3j5r 3j5q.a -3j60 3j5z.a -3j69 3j68.a -3j6i 3j6h.a -3j6r 3j6q.a -3j70 3j6z.a -3j79 3j78.a -3j7i 3j7h.a
-3j7r 3j7q.a -3vy0 cpz 3j7z.a -3j89 3j88.a -3j8i 3j8h.a -3j8r 3j8q.a -3j90 3j8z.a -3j99 3j98.a -3j9i 3j9h.a -3j9r
3j9q.a -3ja0 3j9z.a -3ja9 3ja8.a -3w0r cq8 3jah.a -3jar 3jaq.a -3jb0 3jaz.a -3jb9 3jb8.a -3jbi 3jbh.a -3jbr 3jbq.a
-3jc0 3jbz.a -3jc9 3jc8.a -3jci 3jch.a -3jcr 3jcq.a -3w3i cqh 3jcz.a -3jd9 3jd8.a -3jdi 3jdh.a -3jdr 3jdq.a -3je0
3jdz.a -3je9 3je8.a -3jei 3jeh.a -3jer 3jeq.a -3jf0 3jez.a -3jf9 3jf8.a -3w69 cqq 3jfh.a -3jfr 3jfq.a -3jg0 3jfz.a
-3jg9 3jg8.a -3jgi 3jgh.a -3jgr 3jgq.a -3jh0 3jgz.a -3jh9 3jh8.a -3jhi 3jhh.a -3jhr 3jhq.a -3w90 cqz 3jhz.a -3ji9
3ji8.a -3jii 3jih.a -3jir 3jiq.a -3jj0 3jiz.a -3jj9 3jj8.a -3jji 3jjh.a -3jjr 3jjq.a -3jk0 3jjz.a -3jk9 3jk8.a -3wbr
cr8 3jkh.a -3jkr 3jkq.a -3jl0 3jkz.a -3jl9 3jl8.a -3jli 3jlh.a -3jlr 3jlq.a -3jm0 3jlz.a -3jm9 3jm8.a -3jmi 3jmh.a
-3jmr 3jmq.a -3wei crh 3jmz.a -3jn9 3jn8.a -3jni 3jnh.a -3jnr 3jnq.a -3jo0 3jnz.a -3jo9 3jo8.a -3joi 3joh.a -3jor
3joq.a -3jp0 3joz.a -3jp9 3jp8.a -3wh9 crq 3jph.a -3jpr 3jpq.a -3jq0 3jpz.a -3jq9 3jq8.a -3jqi 3jqh.a -3jqr 3jqq.a
-3jr0 3jqz.a -3jr9.2 3jrl.6 -3jrr 3jrq.a -3wk0 crz 3jrz.a -3js9 3js8.a -3jsi 3jsh.a -3jsr 3jsq.a -3jt0 3jsz.a -3jt9
3jt8.a -3jti 3jth.a -3jtr 3jtq.a -3ju0 3jtz.a -3ju9 3ju8.a -3wmr cs8 3juh.a -3jur 3juq.a -3jv0 3juz.a -3jv9 3jv8.a
-3jvi 3jvh.a -3jvr 3jvq.a -3jw0 3jvz.a -3jw9 3jw8.a -3jwi 3jwh.a -3jwr 3jwq.a -3wpi csh 3jwz.a -3jx9 3jx8.a -3jxi
3jxh.a -3jxr 3jxq.a -3jy0 3jxz.a -3jy9 3jy8.a -3jyi 3jyh.a -3jyr 3jyq.a -3jz0 3jyz.a -3jz9 3jz8.a -3ws9 csq 3jzh.a
-3jzr 3jzq.a -3k00 3jzz.a -3k09 3k08.a -3k0i 3k0h.a -3k0r 3k0q.a -3k10 3k0z.a -3k19 3k18.a -3k1i 3k1h.a -3k1r 3k1q.a
-3wv0 csz 3k1z.a -3k29 3k28.a -3k2i 3k2h.a -3k2r 3k2q.a -3k30 3k2z.a -3k39 3k38.a -3k3i 3k3h.a -3k3r 3k3q.a -3k40
3k3z.a -3k49 3k48.a -3wxr ct8 3k4h.a -3k4r 3k4q.a -3k50 3k4z.a -3k59 3k58.a -3k5i 3k5h.a -3k5r 3k5q.a -3k60 3k5z.a
-3k69 3k68.a -3k6i 3k6h.a -3k6r 3k6q.a -3x0i cth 3k6z.a -3k79 3k78.a -3k7i 3k7h.a -3k7r 3k7q.a -3k80 3k7z.a -3k89
3k88.a -3k8i 3k8h.a -3k8r 3k8q.a -3k90 3k8z.a -3k99 3k98.a -3x39 ctq 3k9h.a -3k9r 3k9q.a -3ka0 3k9z.a -3ka9 3ka8.a
-3kai 3kah.a -3kar 3kaq.a -3kb0 3kaz.a -3kb9 3kb8.a -3kbi 3kbh.a -3kbr 3kbq.a -3x60 ctz 3kbz.a -3kc9 3kc8.a -3kci
3kch.a -3kcr 3kcq.a -3kd0 3kcz.a -3kd9 3kd8.a -3kdi 3kdh.a -3kdr 3kdq.a -3ke0 3kdz.a -3ke9 3ke8.a -3x8r cu8 3keh.a
-3ker 3keq.a -3kf0 3kez.a -3kf9 3kf8.a -3kfi 3kfh.a -3kfr 3kfq.a -3kg0 3kfz.a -3kg9 3kg8.a -3kgi 3kgh.a -3kgr 3kgq.a
-3xbi cuh 3kgz.a -3kh9 3kh8.a -3khi 3khh.a -3khr 3khq.a -3ki0 3khz.a -3ki9 3ki8.a -3kii 3kih.a -3kir 3kiq.a -3kj0
3kiz.a -3kj9 3kj8.a -3xe9 cuq 3kjh.a -3kjr 3kjq.a -3kk0 3kjz.a -3kk9 3kk8.a -3kki 3kkh.a -3kkr 3kkq.a -3kl0 3kkz.a
-3kl9 3kl8.a -3kli 3klh.a -3klr 3klq.a -3xh0 cuz 3klz.a -3km9 3km8.a -3kmi 3kmh.a -3kmr 3kmq.a -3kn0 3kmz.a -3kn9
3kn8.a -3kni 3knh.a -3knr 3knq.a -3ko0 3knz.a -3ko9 3ko8.a -3xjr cv8 3koh.a -3kor 3koq.a -3kp0 3koz.a -3kp9 3kp8.a
-3kpi 3kph.a -3kpr 3kpq.a -3kq0 3kpz.a -3kq9 3kq8.a -3kqi 3kqh.a -3kqr 3kqq.a -3xmi cvh 3kqz.a -3kr9 3kr8.a -3kri
3krh.a -3krr 3krq.a -3ks0 3krz.a -3ks9 3ks8.a -3ksi 3ksh.a -3ksr 3ksq.a -3kt0 3ksz.a -3kt9 3kt8.a -3xp9 cvq 3kth.a
-3ktr 3ktq.a -3ku0 3ktz.a -3ku9 3ku8.a -3kui 3kuh.a -3kur 3kuq.a -3kv0 3kuz.a -3kv9 3kv8.a -3kvi 3kvh.a -3kvr 3kvq.a
-3kw0 3kvz.a -3kw9 3kw8.a -3kwi 3kwh.a -3kwr 3kwq.a -3kx0 3kwz.a -3kx9 3kx8.a -3kxi 3kxh.a -3kxr 3kxq.a -3ky0 3kxz.a
-3ky9 3ky8.a -3kyi 3kyh.a -3kyr 3kyq.a -3kz0 3kyz.a -3kz9 3kz8.a -3kzi 3kzh.a -3kzr 3kzq.a -3l00 3kzz.a -3l09 3l08.a
-3l0i 3l0h.a -3l0r 3l0q.a -3l10 3l0z.a -3l19 3l18.a -3l1i 3l1h.a -3l1r 3l1q.a -3l20 3l1z.a -3l29 3l28.a -3l2i 3l2h.a
-3l2r 3l2q.a -3l30 3l2z.a -3l39 3l38.a -3l3i 3l3h.a -3l3r 3l3q.a -3l40 3l3z.a -3l49 3l48.a -3l4i 3l4h.a -3l4r 3l4q.a
-3l50 3l4z.a -3l59 3l58.a -3l5i 3l5h.a -3l5r 3l5q.a -3zdi e7h 3l5z.a -3l69 3l68.a -3l6i 3l6h.a -3l6r 3l6q.a -3l70
3l6z.a -3l79 3l78.a -3l7i 3l7h.a -3l7r 3l7q.a -3l80 3l7z.a -3l89 3l88.a -3l8i 3l8h.a -3l8r 3l8q.a -3l90 3l8z.a -3l99
3l98.a -3l9i 3l9h.a -3l9r 3l9q.a -3la0 3l9z.a -3la9 3la8.a -3lai 3lah.a -3lar 3laq.a -3lb0 3laz.a -3lb9 3lb8.a -3lbi
3lbh.a -3lbr 3lbq.a -3lc0 3lbz.a -3lc9 3lc8.a -3lci 3lch.a -3lcr 3lcq.a -3ld0 3lcz.a -3ld9 3ld8.a -3ldi 3ldh.a -3ldr
3ldq.a -3le0 3ldz.a -3le9 3le8.a -3lei 3leh.a -3ler 3leq.a -3lf0 3lez.a -3lf9 3lf8.a -3lfi 3lfh.a -3lfr 3lfq.a -3lg0
3lfz.a -3lg9 3lg8.a -3lgi 3lgh.a -3lgr 3lgq.a -3lh0 3lgz.a -3lh9 3lh8.a -3lhi 3lhh.a -3lhr 3lhq.a -3li0 3lhz.a -3li9
3li8.a -3lii 3lih.a -3lir 3liq.a -3lj0 3liz.a -3lj9 3lj8.a -3lji 3ljh.a -3ljr 3ljq.a -3lk0 3ljz.a -3lk9 3lk8.a -3lki
3lkh.a -3lkr 3lkq.a -3ll0 3lkz.a -3ll9 3ll8.a -3lli 3llh.a -3llr 3llq.a -3lm0 3llz.a -3lm9 3lm8.a -3lmi 3lmh.a -3lmr
3lmq.a -3ln0 3lmz.a -3ln9 3ln8.a -3lni 3lnh.a -3lnr 3lnq.a -3lo0 3lnz.a -3lo9 3lo8.a -3loi 3loh.a -3lor 3loq.a -3lp0
3loz.a -3lp9 3lp8.a -3lpi 3lph.a -3lpr 3lpq.a -3lq0 3lpz.a -3lq9 3lq8.a -3lqi 3lqh.a -3lqr 3lqq.a -3lr0 3lqz.a -3lr9
3lr8.a -3lri 3lrh.a -3lrr 3lrq.a -3ls0 3lrz.a -3ls9 3ls8.a -3yrr cz8 3lsh.a -3lsr 3lsq.a -3lt0 3lsz.a -3lt9 3lt8.a
-3lti 3lth.a -3ltr 3ltq.a -3lu0 3ltz.a -3lu9 3lu8.a -3lui 3luh.a -3lur 3luq.a -3yui czh 3luz.a -3lv9 3lv8.a -3lvi
3lvh.a -3lvr 3lvq.a -3lw0 3lvz.a -3lw9 3lw8.a -3lwi 3lwh.a -3lwr 3lwq.a -3lx0 3lwz.a -3lx9 3lx8.a -3yx9 czq 3lxh.a
-3lxr 3lxq.a -3ly0 3lxz.a -3ly9 3ly8.a -3lyi 3lyh.a -3lyr 3lyq.a -3lz0 3lyz.a -3lz9 3lz8.a -3lzi 3lzh.a -3lzr 3lzq.a
-3z00 czz 3lzz.a -3m09 3m08.a -3m0i 3m0h.a -3m0r 3m0q.a -3m10 3m0z.a -3m19 3m18.a -3m1i 3m1h.a -3m1r 3m1q.a -3m20
3m1z.a -3m29 3m28.a -3z2r d08 3m2h.a -3m2r 3m2q.a -3m30 3m2z.a -3m39 3m38.a -3m3i 3m3h.a -3m3r 3m3q.a -3m40 3m3z.a
-3m49 3m48.a -3m4i 3m4h.a -3m4r 3m4q.a -3z5i d0h 3m4z.a -3m59 3m58.a -3m5i 3m5h.a -3m5r 3m5q.a -3m60 3m5z.a -3m69
3m68.a -3m6i 3m6h.a -3m6r 3m6q.a -3m70 3m6z.a -3m79 3m78.a -3z89 d0q 3m7h.a -3m7r 3m7q.a -3m80 3m7z.a -3m89 3m88.a
-3m8i 3m8h.a -3m8r 3m8q.a -3m90 3m8z.a -3m99 3m98.a -3m9i 3m9h.a -3m9r 3m9q.a -3zb0 d0z 3m9z.a -3ma9 3ma8.a -3mai
3mah.a -3mar 3maq.a -3mb0 3maz.a -3mb9 3mb8.a -3mbi 3mbh.a -3mbr 3mbq.a -3mc0 3mbz.a -3mc9 3mc8.a -3zdr d18 3mch.a
-3mcr 3mcq.a -3md0 3mcz.a -3md9 3md8.a -3mdi 3mdh.a -3mdr 3mdq.a -3me0 3mdz.a -3me9 3me8.a -3mei 3meh.a -3mer 3meq.a
-3zgi d1h 3mez.a -3mf9 3mf8.a -3mfi 3mfh.a -3mfr 3mfq.a -3mg0 3mfz.a -3mg9 3mg8.a -3mgi 3mgh.a -3mgr 3mgq.a -3mh0
3mgz.a -3mh9 3mh8.a -3zj9 d1q 3mhh.a -3mhr 3mhq.a -3mi0 3mhz.a -3mi9 3mi8.a -3mii 3mih.a -3mir 3miq.a -3mj0 3miz.a
-3mj9 3mj8.a -3mji 3mjh.a -3mjr 3mjq.a -3zm0 d1z 3mjz.a -3mk9 3mk8.a -3mki 3mkh.a -3mkr 3mkq.a -3ml0 3mkz.a -3ml9
3ml8.a -3mli 3mlh.a -3mlr 3mlq.a -3mm0 3mlz.a -3mm9 3mm8.a -3zor d28 3mmh.a -3mmr 3mmq.a -3mn0 3mmz.a -3mn9 3mn8.a
-3mni 3mnh.a -3mnr 3mnq.a -3mo0 3mnz.a -3mo9 3mo8.a -3moi 3moh.a -3mor 3moq.a -3zri d2h 3moz.a -3mp9 3mp8.a -3mpi
3mph.a -3mpr 3mpq.a -3mq0 3mpz.a -3mq9 3mq8.a -3mqi 3mqh.a -3mqr 3mqq.a -3mr0 3mqz.a -3mr9 3mr8.a -3zu9 d2q 3mrh.a
-3mrr 3mrq.a -3ms0 3mrz.a -3ms9 3ms8.a -3msi 3msh.a -3msr 3msq.a -3mt0 3msz.a -3mt9 3mt8.a -3mti 3mth.a -3mtr 3mtq.a
-3zx0 d2z 3mtz.a -3mu9 3mu8.a -3mui 3muh.a -3mur 3muq.a -3mv0 3muz.a -3mv9 3mv8.a -3mvi 3mvh.a -3mvr 3mvq.a -3mw0
3mvz.a -3mw9 3mw8.a -3zzr d38 3mwh.a -3mwr 3mwq.a -3mx0 3mwz.a -3mx9 3mx8.a -3mxi 3mxh.a -3mxr 3mxq.a -3my0 3mxz.a
-3my9 3my8.a -3myi 3myh.a -3myr 3myq.a -402i d3h 3myz.a -3mz9 3mz8.a -3mzi 3mzh.a -3mzr 3mzq.a -3n00 3mzz.a -3n09
3n08.a -3n0i 3n0h.a -3n0r 3n0q.a -3n10 3n0z.a -3n19 3n18.a -4059 d3q 3n1h.a -3n1r 3n1q.a -3n20 3n1z.a -3n29 3n28.a
-3n2i 3n2h.a -3n2r 3n2q.a -3n30 3n2z.a -3n39 3n38.a -3n3i 3n3h.a -3n3r 3n3q.a -4080 d3z 3n3z.a -3n49 3n48.a -3n4i
3n4h.a -3n4r 3n4q.a -3n50 3n4z.a -3n59 3n58.a -3n5i 3n5h.a -3n5r 3n5q.a -3n60 3n5z.a -3n69 3n68.a -40ar d48 3n6h.a
-3n6r 3n6q.a -3n70 3n6z.a -3n79 3n78.a -3n7i 3n7h.a -3n7r 3n7q.a -3n80 3n7z.a -3n89 3n88.a -3n8i 3n8h.a -3n8r 3n8q.a
-40di d4h 3n8z.a -3n99 3n98.a -3n9i 3n9h.a -3n9r 3n9q.a -3na0 3n9z.a -3na9 3na8.a -3nai 3nah.a -3nar 3naq.a -3nb0
3naz.a -3nb9 3nb8.a -40g9 d4q 3nbh.a -3nbr 3nbq.a -3nc0 3nbz.a -3nc9 3nc8.a -3nci 3nch.a -3ncr 3ncq.a -3nd0 3ncz.a
-3nd9 3nd8.a -3ndi 3ndh.a -3ndr 3ndq.a -40j0 d4z 3ndz.a -3ne9 3ne8.a -3nei 3neh.a -3ner 3neq.a -3nf0 3nez.a -3nf9
3nf8.a -3nfi 3nfh.a -3nfr 3nfq.a -3ng0 3nfz.a -3ng9 3ng8.a -40lr d58 3ngh.a -3ngr 3ngq.a -3nh0 3ngz.a -3nh9 3nh8.a
-3nhi 3nhh.a -3nhr 3nhq.a -3ni0 3nhz.a -3ni9 3ni8.a -3nii 3nih.a -3nir 3niq.a -40oi d5h 3niz.a -3nj9 3nj8.a -3nji
3njh.a -3njr 3njq.a -3nk0 3njz.a -3nk9 3nk8.a -3nki 3nkh.a -3nkr 3nkq.a -3nl0 3nkz.a -3nl9 3nl8.a -40r9 d5q 3nlh.a
-3nlr 3nlq.a -3nm0 3nlz.a -3nm9 3nm8.a -3nmi 3nmh.a -3nmr 3nmq.a -3nn0 3nmz.a -3nn9 3nn8.a -3nni 3nnh.a -3nnr 3nnq.a
-40u0 d5z 3nnz.a -3no9 3no8.a -3noi 3noh.a -3nor 3noq.a -3np0 3noz.a -3np9 3np8.a -3npi 3nph.a -3npr 3npq.a -3nq0
3npz.a -3nq9 3nq8.a -40wr d68 3nqh.a -3nqr 3nqq.a -3nr0 3nqz.a -3nr9 3nr8.a -3nri 3nrh.a -3nrr 3nrq.a -3ns0 3nrz.a
-3ns9 3ns8.a -3nsi 3nsh.a -3nsr 3nsq.a -40zi d6h 3nsz.a -3nt9 3nt8.a -3nti 3nth.a -3ntr 3ntq.a -3nu0 3ntz.a -3nu9
3nu8.a -3nui 3nuh.a -3nur 3nuq.a -3nv0 3nuz.a -3nv9 3nv8.a -4129 d6q 3nvh.a -3nvr 3nvq.a -3nw0 3nvz.a -3nw9 3nw8.a
-3nwi 3nwh.a -3nwr 3nwq.a -3nx0 3nwz.a -3nx9 3nx8.a -3nxi 3nxh.a -3nxr 3nxq.a -4150 d6z 3nxz.a -3ny9 3ny8.a -3nyi
3nyh.a -3nyr 3nyq.a -3nz0 3nyz.a -3nz9 3nz8.a -3nzi 3nzh.a -3nzr 3nzq.a -3o00 3nzz.a -3o09 3o08.a -417r d78 3o0h.a
-3o0r 3o0q.a -3o10 3o0z.a -3o19 3o18.a -3o1i 3o1h.a -3o1r 3o1q.a -3o20 3o1z.a -3o29 3o28.a -3o2i 3o2h.a -3o2r 3o2q.a
-41ai d7h 3o2z.a -3o39 3o38.a -3o3i 3o3h.a -3o3r 3o3q.a -3o40 3o3z.a -3o49 3o48.a -3o4i 3o4h.a -3o4r 3o4q.a -3o50
3o4z.a -3o59 3o58.a -41d9 d7q 3o5h.a -3o5r 3o5q.a -3o60 3o5z.a -3o69 3o68.a -3o6i 3o6h.a -3o6r 3o6q.a -3o70 3o6z.a
-3o79 3o78.a -3o7i 3o7h.a -3o7r 3o7q.a -41g0 d7z 3o7z.a -3o89 3o88.a -3o8i 3o8h.a -3o8r 3o8q.a -3o90 3o8z.a -3o99
3o98.a -3o9i 3o9h.a -3o9r 3o9q.a -3oa0 3o9z.a -3oa9 3oa8.a -41ir d88 3oah.a -3oar 3oaq.a -3ob0 3oaz.a -3ob9 3ob8.a
-3obi 3obh.a -3obr 3obq.a -3oc0 3obz.a -3oc9 3oc8.a -3oci 3och.a -3ocr 3ocq.a -41li d8h 3ocz.a -3od9 3od8.a -3odi
3odh.a -3odr 3odq.a -3oe0 3odz.a -3oe9 3oe8.a -3oei 3oeh.a -3oer 3oeq.a -3of0 3oez.a -3of9 3of8.a -41o9 d8q 3ofh.a
-3ofr 3ofq.a -3og0 3ofz.a -3og9 3og8.a -3ogi 3ogh.a -3ogr 3ogq.a -3oh0 3ogz.a -3oh9 3oh8.a -3ohi 3ohh.a -3ohr 3ohq.a
-41r0 d8z 3ohz.a -3oi9 3oi8.a -3oii 3oih.a -3oir 3oiq.a -3oj0 3oiz.a -3oj9 3oj8.a -3oji 3ojh.a -3ojr 3ojq.a -3ok0
3ojz.a -3ok9 3ok8.a -41tr d98 3okh.a -3okr 3okq.a -3ol0 3okz.a -3ol9 3ol8.a -3oli 3olh.a -3olr 3olq.a -3om0 3olz.a
-3om9 3om8.a -3omi 3omh.a -3omr 3omq.a -41wi d9h 3omz.a -3on9 3on8.a -3oni 3onh.a -3onr 3onq.a -3oo0 3onz.a -3oo9
3oo8.a -3ooi 3ooh.a -3oor 3ooq.a -3op0 3ooz.a -3op9 3op8.a -41z9 d9q 3oph.a -3opr 3opq.a -3oq0 3opz.a -3oq9 3oq8.a
-3oqi 3oqh.a -3oqr 3oqq.a -3or0 3oqz.a -3or9 3or8.a -3ori 3orh.a -3orr 3orq.a -4220 d9z 3orz.a -3os9 3os8.a -3osi
3osh.a -3osr 3osq.a -3ot0 3osz.a -3ot9 3ot8.a -3oti 3oth.a -3otr 3otq.a -3ou0 3otz.a -3ou9 3ou8.a -424r da8 3ouh.a
-3our 3ouq.a -3ov0 3ouz.a -3ov9 3ov8.a -3ovi 3ovh.a -3ovr 3ovq.a -3ow0 3ovz.a -3ow9 3ow8.a -3owi 3owh.a -3owr 3owq.a
-427i dah 3owz.a -3ox9 3ox8.a -3oxi 3oxh.a -3oxr 3oxq.a -3oy0 3oxz.a -3oy9 3oy8.7 -3oyf.4 -dar daq.a -db0 daz.a -db9
db8.a -dbi dbh.a -dbr dbq.a -eo0 1bz dbz.a -dc9 dc8.a -dci dch.a -dcr dcq.a -dd0 dcz.a -dd9 dd8.a -ddi ddh.a -ddr
ddq.a -de0 ddz.a -de9 de8.a -eqr 1c8 deh.a -der deq.a -df0 dez.a -df9 df8.a -dfi dfh.a -dfr dfq.a -dg0 dfz.a -dg9
dg8.a -dgi dgh.a -dgr dgq.a -eti 1ch dgz.a -dh9 dh8.a -dhi dhh.a -dhr dhq.a -di0 dhz.a -di9 di8.7 3r3z.a -3r49 3r48.a
-3r4i 3r4h.a -3r4r 3r4q.a -44ni dih 3r4z.a -3r59 3r58.a -3r5i 3r5h.a -3r5r 3r5q.a -3r60 3r5z.a -3r69 3r68.a -3r6i
3r6h.a -3r6r 3r6q.a -3r70 3r6z.a -3r79 3r78.a -44q9 diq 3r7h.a -3r7r 3r7q.a -3r80 3r7z.a -3r89 3r88.a -3r8i 3r8h.a
-3r8r 3r8q.a -3r90 3r8z.a -3r99 3r98.a -3r9i 3r9h.a -3r9r 3r9q.a -44t0 diz 3r9z.a -3ra9 3ra8.a -3rai 3rah.a -3rar
3raq.a -3rb0 3raz.a -3rb9 3rb8.a -3rbi 3rbh.a -3rbr 3rbq.a -3rc0 3rbz.a -3rc9 3rc8.a -44vr dj8 3rch.a -3rcr 3rcq.a
-3rd0 3rcz.a -3rd9 3rd8.a -3rdi 3rdh.a -3rdr 3rdq.a -3re0 3rdz.a -3re9 3re8.a -3rei 3reh.a -3rer 3req.a -46b9 1cq djh
3rez.a -3rf9 3rf8.a -3rfi 3rfh.a -3rfr 3rfq.a -3rg0 3rfz.a -3rg9 3rg8.a -3rgi 3rgh.a -3rgr 3rgq.a -3rh0 3rgz.a -3rh9
3rh8.a -4519 djq 3rhh.2 -3rhj.9 -dk0 djz.a -dk9 dk8.a -dki dkh.a -dkr dkq.a -dl0 dkz.a -dl9 dl8.a -dli dlh.a -dlr
dlq.a -ez0 1cz dlz.a -dm9 dm8.a -dmi dmh.a -dmr dmq.a -dn0 dmz.a -dn9 dn8.a -dni dnh 3sj7.2 -3sj9 3sj8.a -3sji 3sjh.a
-3sjr 3sjq.a -3sk0 3sjz.a -3sk9 3sk8.a -3ski 3skh.a -3skr 3skq.a -3sl0 3skz.a -3sl9 3sl8.a -4699 dnq 3slh.a -3slr
3slq.a -3sm0 3slz.a -3sm9 3sm8.a -3smi 3smh.a -3smr 3smq.a -3sn0 3smz.a -3sn9 3sn8.a -3sni 3snh.a -3snr 3snq.a -46c0
dnz 3snz.a -3so9 3so8.a -3soi 3soh.a -3sor 3soq.a -3sp0 3soz.a -3sp9 3sp8.a -3spi 3sph.a -3spr 3spq.a -3sq0 3spz.a
-3sq9 3sq8.a -46er do8 3sqh.a -3sqr 3sqq.a -3sr0 3sqz.a -3sr9 3sr8.a -3sri 3srh.a -3srr 3srq.a -3ss0 3srz.a -3ss9
3ss8.a -3ssi 3ssh.a -3ssr 3ssq.a -47ur f1q 3ssz.a -3st9 3st8.a -3sti 3sth.a -3str 3stq.a -3su0 3stz.a -3su9 3su8.a
-3sui 3suh.a -3sur 3suq.a -3sv0 3suz.a -3sv9 3sv8.a -3svi 3svh.a -3svr 3svq.a -3sw0 3svz.a -3sw9 3sw8.a -3swi 3swh.a
-3swr 3swq.a -3sx0 3swz.a -3sx9 3sx8.a -3sxi 3sxh.a -3sxr 3sxq.a -3sy0 3sxz.a -3sy9 3sy8.a -3syi 3syh.a -3syr 3syq.a
-3sz0 3syz.a -3sz9 3sz8.a -3szi 3szh.a -3szr 3szq.a -3t00 3szz.a -3t09 3t08.a -3t0i 3t0h.a -3t0r 3t0q.a -3t10 3t0z.a
-3t19 3t18.a -3t1i 3t1h.a -3t1r 3t1q.a -3t20 3t1z.a -3t29 3t28.a -3t2i 3t2h.a -3t2r 3t2q.a -3t30 3t2z.a -3t39 3t38.a
-3t3i 3t3h.a -3t3r 3t3q.a -3t40 3t3z.a -3t49 3t48.a -3t4i 3t4h.a -3t4r 3t4q.a -3t50 3t4z.a -3t59 3t58.a -3t5i 3t5h.a
-3t5r 3t5q.a -3t60 3t5z.a -3t69 3t68.a -3t6i 3t6h.a -3t6r 3t6q.a -3t70 3t6z.a -3t79 3t78.a -3t7i 3t7h.a -3t7r 3t7q.a
-3t80 3t7z.a -3t89 3t88.a -3t8i 3t8h.a -3t8r 3t8q.a -3t90 3t8z.a -3t99 3t98.a -3t9i 3t9h.a -3t9r 3t9q.a -3ta0 3t9z.a
-3ta9 3ta8.a -3tai 3tah.a -3tar 3taq.a -3tb0 3taz.a -3tb9 3tb8.a -3tbi 3tbh.a -3tbr 3tbq.a -3tc0 3tbz.a -3tc9 3tc8.a
-3tci 3tch.a -3tcr 3tcq.a -3td0 3tcz.a -3td9 3td8.a -3tdi 3tdh.a -3tdr 3tdq.a -3te0 3tdz.a -3te9 3te8.a -3tei 3teh.a
-3ter 3teq.a -3tf0 3tez.a -3tf9 3tf8.a -3tfi 3tfh.a -3tfr 3tfq.a -3tg0 3tfz.a -3tg9 3tg8.a -3tgi 3tgh.a -3tgr 3tgq.a
-3th0 3tgz.a -3th9 3th8.a -3thi 3thh.a -3thr 3thq.a -48mi f4h 3thz.a -3ti9 3ti8.a -3tii 3tih.a -3tir 3tiq.a -3tj0
3tiz.a -3tj9 3tj8.a -3tji 3tjh.a -3tjr 3tjq.a -3tk0 3tjz.a -3tk9 3tk8.a -3tki 3tkh.a -3tkr 3tkq.a -3tl0 3tkz.a -3tl9
3tl8.a -3tli 3tlh.a -3tlr 3tlq.a -3tm0 3tlz.a -3tm9 3tm8.a -3tmi 3tmh.a -3tmr 3tmq.a -3tn0 3tmz.a -3tn9 3tn8.a -3tni
3tnh.a -3tnr 3tnq.a -3to0 3tnz.a -3to9 3to8.a -3toi 3toh.a -3tor 3toq.a -3tp0 3toz.a -3tp9 3tp8.a -3tpi 3tph.a -3tpr
3tpq.a -3tq0 3tpz.a -3tq9 3tq8.a -3tqi 3tqh.a -3tqr 3tqq.a -3tr0 3tqz.a -3tr9 3tr8.a -3tri 3trh.a -3trr 3trq.a -47k0
drz 3trz.a -3ts9 3ts8.a -3tsi 3tsh.a -3tsr 3tsq.a -3tt0 3tsz.a -3tt9 3tt8.a -3tti 3tth.a -3ttr 3ttq.a -3tu0 3ttz.a
-3tu9 3tu8.a -47mr ds8 3tuh.a -3tur 3tuq.a -3tv0 3tuz.a -3tv9 3tv8.a -3tvi 3tvh.a -3tvr 3tvq.a -3tw0 3tvz.a -3tw9
3tw8.a -3twi 3twh.a -3twr 3twq.a -47pi dsh 3twz.a -3tx9 3tx8.a -3txi 3txh.a -3txr 3txq.a -3ty0 3txz.a -3ty9 3ty8.a
-3tyi 3tyh.a -3tyr 3tyq.a -3tz0 3tyz.a -3tz9 3tz8.a -47s9 dsq 3tzh.a -3tzr 3tzq.a -3u00 3tzz.a -3u09 3u08.a -3u0i
3u0h.a -3u0r 3u0q.a -3u10 3u0z.a -3u19 3u18.a -3u1i 3u1h.a -3u1r 3u1q.a -47v0 dsz 3u1z.a -3u29 3u28.a -3u2i 3u2h.a
-3u2r 3u2q.a -3u30 3u2z.a -3u39 3u38.a -3u3i 3u3h.a -3u3r 3u3q.a -3u40 3u3z.a -3u49 3u48.a -47xr dt8 3u4h.a -3u4r
3u4q.a -3u50 3u4z.a -3u59 3u58.a -3u5i 3u5h.a -3u5r 3u5q.a -3u60 3u5z.a -3u69 3u68.a -3u6i 3u6h.a -3u6r 3u6q.a -49e9
1dq dth 3u6z.a -3u79 3u78.a -3u7i 3u7h.a -3u7r 3u7q.1y -4839 4838.2s -4860 485z.2s -488r 488q.2s -48bi 48bh.2s -48e9
48e8.2s -48h0 48gz.28 -3uo0 3unz.a -3uo9 3uo8.a -48jr dv8 3uoh.a -3uor 3uoq.a -3up0 3uoz.a -3up9 3up8.a -3upi 3uph.a
-3upr 3upq.a -3uq0 3upz.a -3uq9 3uq8.a -3uqi 3uqh.a -3uqr 3uqq.a -48mi dvh 3uqz.a -3ur9 3ur8.a -3uri 3urh.a -3urr
3urq.a -3us0 3urz.a -3us9 3us8.a -3usi 3ush.a -3usr 3usq.a -3ut0 3usz.a -3ut9 3ut8.a -48p9 dvq 3uth.a -3utr 3utq.a
-3uu0 3utz.a -3uu9 3uu8.a -3uui 3uuh.a -3uur 3uuq.a -3uv0 3uuz.a -3uv9 3uv8.a -3uvi 3uvh.a -3uvr 3uvq.a -4a60 1dz dvz
3uvz.a -3uw9 3uw8.a -3uwi 3uwh.a -3uwr 3uwq.a -3ux0 3uwz.a -3ux9 3ux8.a -3uxi 3uxh.a -3uxr 3uxq.a -3uy0 3uxz.a -3uy9
3uy8.a -48ur dw8 3uyh.a -3uyr 3uyq.a -3uz0 3uyz.a -3uz9 3uz8.a -3uzi 3uzh.a -3uzr 3uzq.a -3v00 3uzz.a -3v09 3v08.a
-3v0i 3v0h.a -3v0r 3v0q.a -48xi dwh 3v0z.a -3v19 3v18.a -3v1i 3v1h.a -3v1r 3v1q.a -3v20 3v1z.a -3v29 3v28.a -3v2i
3v2h.a -3v2r 3v2q.a -3v30 3v2z.a -3v39 3v38.a -4909 dwq 3v3h.a -3v3r 3v3q.a -3v40 3v3z.a -3v49 3v48.a -3v4i 3v4h.a
-3v4r 3v4q.a -3v50 3v4z.a -3v59 3v58.a -3v5i 3v5h.a -3v5r 3v5q.a -4930 dwz 3v5z.a -3v69 3v68.a -3v6i 3v6h.a -3v6r
3v6q.a -3v70 3v6z.a -3v79 3v78.a -3v7i 3v7h.a -3v7r 3v7q.a -3v80 3v7z.a -3v89 3v88.a -495r dx8 3v8h.a -3v8r 3v8q.a
-3v90 3v8z.a -3v99 3v98.a -3v9i 3v9h.a -3v9r 3v9q.a -3va0 3v9z.a -3va9 3va8.a -3vai 3vah.a -3var 3vaq.a -498i dxh
3vaz.a -3vb9 3vb8.a -3vbi 3vbh.a -3vbr 3vbq.a -3vc0 3vbz.a -3vc9 3vc8.a -3vci 3vch.a -3vcr 3vcq.a -3vd0 3vcz.a -3vd9
3vd8.a -49b9 dxq 3vdh.a -3vdr 3vdq.a -3ve0 3vdz.a -3ve9 3ve8.a -3vei 3veh.a -3ver 3veq.a -3vf0 3vez.a -3vf9 3vf8.a
-3vfi 3vfh.a -3vfr 3vfq.a -49e0 dxz 3vfz.a -3vg9 3vg8.a -3vgi 3vgh.a -3vgr 3vgq.a -3vh0 3vgz.a -3vh9 3vh8.a -3vhi
3vhh.a -3vhr 3vhq.a -3vi0 3vhz.a -3vi9 3vi8.a -49gr dy8 3vih.a -3vir 3viq.a -3vj0 3viz.a -3vj9 3vj8.a -3vji 3vjh.a
-3vjr 3vjq.a -3vk0 3vjz.a -3vk9 3vk8.a -3vki 3vkh.a -3vkr 3vkq.a -4axr 1e8 dyh 3vkz.a -3vl9 3vl8.a -3vli 3vlh.a -3vlr
3vlq.a -3vm0 3vlz.a -3vm9 3vm8.a -3vmi 3vmh.a -3vmr 3vmq.a -3vn0 3vmz.a -3vn9 3vn8.a -49m9 dyq 3vnh.a -3vnr 3vnq.a
-3vo0 3vnz.a -3vo9 3vo8.a -3voi 3voh.a -3vor 3voq.a -3vp0 3voz.a -3vp9 3vp8.a -3vpi 3vph.a -3vpr 3vpq.a -49p0 dyz
3vpz.a -3vq9 3vq8.a -3vqi 3vqh.a -3vqr 3vqq.a -3vr0 3vqz.a -3vr9 3vr8.a -3vri 3vrh.a -3vrr 3vrq.a -3vs0 3vrz.a -3vs9
3vs8.a -49rr dz8 3vsh.a -3vsr 3vsq.a -3vt0 3vsz.a -3vt9 3vt8.a -3vti 3vth.a -3vtr 3vtq.a -3vu0 3vtz.a -3vu9 3vu8.a
-3vui 3vuh.a -3vur 3vuq.a -49ui dzh 3vuz.a -3vv9 3vv8.a -3vvi 3vvh.a -3vvr 3vvq.a -3vw0 3vvz.a -3vw9 3vw8.a -3vwi
3vwh.a -3vwr 3vwq.a -3vx0 3vwz.a -3vx9 3vx8.a -49x9 dzq 3vxh.a -3vxr 3vxq.a -3vy0 3vxz.a -3vy9 3vy8.a -3vyi 3vyh.7
-3vyo.5 -e00 dzz.a -e09 e08.a -e0i e0h.a -e0r e0q.a -ffi 1eh e0z.a -e19 e18.a -e1i e1h.a -e1r e1q.a -e20 e1z.a -e29
e28.a -e2i e2h.14 -fi9 fi8.1o -e50 e4z.a -e59 e58.u -fl0 fkz.k -e6i e6h.1o -e80 e7z.a -e89 e88.a -fnr 1f8 e8h.a -e8r
e8q.a -e90 e8z.a -e99 e98.a -e9i e9h.a -e9r e9q.a -ea0 e9z.a -ea9 ea8.a -eai eah.a -ear eaq.a -fqi 1fh eaz.a -eb9
eb8.a -ebi ebh.a -ebr ebq.a -ec0 ebz.a -ec9 ec8.a -eci ech.a -ecr ecq.a -ed0 ecz.a -ed9 ed8.a -ft9 1fq edh.a -edr
edq.u -eei eeh.a -eer eeq.a -ef0 eez.a -ef9 ef8.a -efi efh.a -efr efq.a -fw0 1fz efz.a -eg9 eg8.a -egi egh.a -egr
egq.a -eh0 egz.a -eh9 eh8.a -ehi ehh.a -ehr ehq.a -ei0 ehz.a -ei9 ei8.a -fyr 1g8 eih.a -eir eiq.a -ej0 eiz.28 -g1i
g1h.2s -g49 g48.k -eo0 enz.a -eo9 eo8.a -eoi eoh.a -eor eoq.a -ep0 eoz.a -ep9 ep8.a -epi eph.a -epr epq.a -g70 1gz
epz.a -eq9 eq8.a -eqi eqh.a -eqr eqq.a -er0 eqz.a -er9 er8.a -eri erh.a -err erq.a -es0 erz.a -es9 es8.a -g9r 1h8
esh.a -esr esq.a -et0 esz.a -et9 et8.a -eti eth.a -etr etq.a -eu0 etz.14 -gci gch.14 -ew0 evz.a -ew9 ew8.a -ewi ewh.a
-ewr ewq.a -ex0 ewz.a -ex9 ex8.a -exi exh.a -exr exq.a -ey0 exz.a -ey9 ey8.a -eyi eyh.1o -gi0 1hz ezz.a -f09 f08.a
-f0i f0h.a -f0r f0q.a -f10 f0z.a -f19 f18.a -f1i f1h.a -f1r f1q.a -f20 f1z.a -f29 f28.a -gkr 1i8 f2h.a -f2r f2q.a -f30
f2z.a -f39 f38.a -f3i f3h.a -f3r f3q.a -f40 f3z.a -f49 f48.a -f4i f4h.a -f4r f4q.a -gni 1ih f4z.a -f59 f58.a -f5i
f5h.a -f5r f5q.k -f69 f68.a -f6i f6h.a -f6r f6q.a -f70 f6z.a -f79 f78.a -gq9 1iq f7h.2s -gt0 gsz.28 -fc0 fbz.a -fc9
fc8.a -gvr 1j8 fch.a -fcr fcq.a -fd0 fcz.a -fd9 fd8.a -fdi fdh.a -fdr fdq.a -fe0 fdz.a -fe9 fe8.a -fei feh.a -fer
feq.a -gyi 1jh fez.a -ff9 ff8.a -ffi ffh.a -ffr ffq.a -fg0 ffz.a -fg9 fg8.a -fgi fgh.a -fgr fgq.a -fh0 fgz.a -fh9
fh8.a -h19 1jq fhh.a -fhr fhq.a -fi0 fhz.a -fi9 fi8.a -fii fih.a -fir fiq.a -fj0 fiz.a -fj9 fj8.a -fji fjh.a -fjr
fjq.a -h40 1jz fjz.a -fk9 fk8.a -fki fkh.a -fkr fkq.a -fl0 fkz.a -fl9 fl8.a -fli flh.a -flr flq.a -fm0 flz.a -fm9
fm8.a -h6r h6q.2s -h9i 1kh foz.a -fp9 fp8.a -fpi fph.a -fpr fpq.a -fq0 fpz.a -fq9 fq8.a -fqi fqh.a -fqr fqq.a -fr0
fqz.a -fr9 fr8.a -hc9 1kq frh.a -frr frq.14 -fsr fsq.a -ft0 fsz.a -ft9 ft8.a -fti fth.a -ftr ftq.a -hf0 1kz ftz.a -fu9
fu8.1y -fw0 fvz.a -fw9 fw8.a -hhr 1l8 fwh.a -fwr fwq.a -fx0 fwz.a -fx9 fx8.a -fxi fxh.a -fxr fxq.a -fy0 fxz.a -fy9
fy8.a -fyi fyh.a -fyr fyq.a -hki 1lh fyz.a -fz9 fz8.a -fzi fzh.a -fzr fzq.a -g00 fzz.a -g09 g08.a -g0i g0h.a -g0r
g0q.a -g10 g0z.a -g19 g18.a -hn9 1lq g1h.a -g1r g1q.a -g20 g1z.a -g29 g28.a -g2i g2h.a -g2r g2q.a -g30 g2z.a -g39
g38.a -g3i g3h.a -g3r g3q.a -hq0 1lz g3z.a -g49 g48.a -g4i g4h.a -g4r g4q.a -g50 g4z.a -g59 g58.a -g5i g5h.a -g5r
g5q.a -g60 g5z.a -g69 g68.a -hsr 1m8 g6h.a -g6r g6q.a -g70 g6z.a -g79 g78.a -g7i g7h.a -g7r g7q.a -g80 g7z.a -g89
g88.a -g8i g8h.a -g8r g8q.a -hvi 1mh g8z.a -g99 g98.a -g9i g9h.a -g9r g9q.a -ga0 g9z.a -ga9 ga8.a -gai gah.a -gar
gaq.a -gb0 gaz.a -gb9 gb8.a -hy9 1mq gbh.a -gbr gbq.a -gc0 gbz.a -gc9 gc8.a -gci gch.a -gcr gcq.a -gd0 gcz.a -gd9
gd8.a -gdi gdh.a -gdr gdq.a -i10 1mz gdz.a -ge9 ge8.a -gei geh.a -ger geq.k -gf9 gf8.a -gfi gfh.a -gfr gfq.a -gg0
gfz.a -gg9 gg8.a -i3r 1n8 ggh.a -ggr ggq.a -gh0 ggz.a -gh9 gh8.a -ghi ghh.a -ghr ghq.a -gi0 ghz.a -gi9 gi8.a -gii
gih.a -gir giq.a -i6i 1nh giz.k -gji gjh.a -gjr gjq.a -gk0 gjz.1e -gl9 gl8.a -i99 1nq glh.a -glr glq.a -gm0 glz.a -gm9
gm8.a -gmi gmh.a -gmr gmq.a -gn0 gmz.a -gn9 gn8.a -gni gnh.a -gnr gnq.a -ic0 1nz gnz.a -go9 go8.a -goi goh.a -gor
goq.u -gpi gph.a -gpr gpq.a -gq0 gpz.a -gq9 gq8.a -ier 1o8 gqh.a -gqr gqq.a -gr0 gqz.a -gr9 gr8.a -gri grh.a -grr
grq.k -gs9 gs8.a -gsi gsh.a -gsr gsq.a -ihi 1oh gsz.a -gt9 gt8.a -gti gth.a -gtr gtq.a -gu0 gtz.a -gu9 gu8.a -gui
guh.a -gur guq.a -gv0 guz.a -gv9 gv8.a -ik9 1oq gvh.a -gvr gvq.a -gw0 gvz.a -gw9 gw8.a -gwi gwh.a -gwr gwq.k -gx9
gx8.a -gxi gxh.a -gxr gxq.a -in0 1oz gxz.a -gy9 gy8.a -gyi gyh.a -gyr gyq.a -gz0 gyz.u -gzr gzq.a -h00 gzz.k -ipr
ipq.a -h0r h0q.a -h10 h0z.a -h19 h18.a -h1i h1h.a -h1r h1q.a -h20 h1z.a -h29 h28.a -h2i h2h.a -h2r h2q.a -isi 1ph
h2z.a -h39 h38.a -h3i h3h.a -h3r h3q.a -h40 h3z.a -h49 h48.a -h4i h4h.a -h4r h4q.a -h50 h4z.a -h59 h58.a -h5i h5h.a
-h5r h5q.a -h60 h5z.k -h6i h6h.a -h6r h6q.a -h70 h6z.a -h79 h78.a -h7i h7h.a -h7r h7q.a -iy0 1pz h7z.k -h8i h8h.14
-h9i h9h.a -h9r h9q.a -ha0 h9z.a -ha9 ha8.a -j0r j0q.u -hb9 hb8.a -hbi hbh.a -hbr hbq.a -hc0 hbz.a -hc9 hc8.a -hci
hch.a -hcr hcq.a -j3i 1qh hcz.u -hdr hdq.a -he0 hdz.u -her heq.a -hf0 hez.k -j69 1qq hfh.2i -hhr hhq.a -j90 j8z.14
-hj0 hiz.a -hj9 hj8.k -hjr hjq.a -hk0 hjz.a -hk9 hk8.a -jbr 1r8 hkh.a -hkr hkq.u -hli hlh.a -hlr hlq.a -hm0 hlz.a -hm9
hm8.a -hmi hmh.a -hmr hmq.a -jei 1rh hmz.a -hn9 hn8.a -hni hnh.a -hnr hnq.a -ho0 hnz.a -ho9 ho8.1e -jh9 jh8.1o -hr0
hqz.14 -jk0 jjz.a -hs9 hs8.a -hsi hsh.a -hsr hsq.k -ht9 ht8.a -hti hth.a -htr htq.a -hu0 htz.a -hu9 hu8.a -jmr 1s8
huh.1e -hvr hvq.a -hw0 hvz.u -hwr hwq.a -jpi 1sh hwz.a -hx9 hx8.a -hxi hxh.a -hxr hxq.a -hy0 hxz.a -hy9 hy8.a -hyi
hyh.a -hyr hyq.a -hz0 hyz.a -hz9 hz8.a -js9 1sq hzh.a -hzr hzq.a -i00 hzz.a -i09 i08.a -i0i i0h.a -i0r i0q.a -i10
i0z.a -i19 i18.a -i1i i1h.a -i1r i1q.a -jv0 1sz i1z.k -i2i i2h.a -i2r i2q.a -i30 i2z.a -i39 i38.a -i3i i3h.a -i3r
i3q.a -i40 i3z.k -jxr 1t8 i4h.a -i4r i4q.k -i59 i58.a -i5i i5h.k -i60 i5z.a -i69 i68.u -k0i k0h.k -i7i i7h.a -i7r
i7q.a -i80 i7z.a -i89 i88.a -i8i i8h.14 -k39 k38.a -i9r i9q.a -ia0 i9z.u -iar iaq.a -ib0 iaz.14 -k60 k5z.a -ic9 ic8.28
-ie9 ie8.a -k8r 1u8 ieh.a -ier ieq.a -if0 iez.k -ifi ifh.1o -kbi kbh.k -ihi ihh.a -ihr ihq.a -ii0 ihz.a -ii9 ii8.a
-iii iih.a -iir iiq.a -ij0 iiz.a -ij9 ij8.a -ke9 1uq ijh.a -ijr ijq.a -ik0 ijz.a -ik9 ik8.a -iki ikh.a -ikr ikq.a -il0
ikz.a -il9 il8.u -kh0 kgz.2i -io9 io8.a -kjr 1v8 ioh.a -ior ioq.k -ip9 ip8.a -ipi iph.a -ipr ipq.a -iq0 ipz.a -iq9
iq8.a -iqi iqh.a -iqr iqq.a -kmi 1vh iqz.a -ir9 ir8.k -irr irq.a -is0 irz.a -is9 is8.k -isr isq.a -it0 isz.a -it9
it8.a -kp9 1vq ith.a -itr itq.a -iu0 itz.a -iu9 iu8.a -iui iuh.a -iur iuq.a -iv0 iuz.a -iv9 iv8.a -ivi ivh.a -ivr
ivq.a -ks0 1vz ivz.a -iw9 iw8.a -iwi iwh.a -iwr iwq.a -ix0 iwz.a -ix9 ix8.a -ixi ixh.a -ixr ixq.a -iy0 ixz.k -kur 1w8
iyh.a -iyr iyq.a -iz0 iyz.a -iz9 iz8.a -izi izh.a -izr izq.a -j00 izz.k -j0i j0h.a -j0r j0q.a -kxi kxh.a -j19 j18.a
-j1i j1h.a -j1r j1q.a -j20 j1z.a -j29 j28.14 -j39 j38.a -l09 1wq j3h.a -j3r j3q.a -j40 j3z.a -j49 j48.a -j4i j4h.a
-j4r j4q.a -j50 j4z.a -j59 j58.k -j5r j5q.a -l30 1wz j5z.a -j69 j68.k -j6r j6q.a -j70 j6z.14 -j80 j7z.k -l5r l5q.2s
-l8i l8h.14 -jc0 jbz.a -jc9 jc8.a -jci jch.a -jcr jcq.u -lb9 1xq jdh.a -jdr jdq.a -je0 jdz.a -je9 je8.a -jei jeh.a
-jer jeq.a -jf0 jez.a -jf9 jf8.a -jfi jfh.a -jfr jfq.a -le0 ldz.2i -ji9 ji8.a -lgr 1y8 jih.a -jir jiq.a -jj0 jiz.1e
-jk9 jk8.a -jki jkh.a -jkr jkq.a -lji ljh.a -jl9 jl8.a -jli jlh.a -jlr jlq.a -jm0 jlz.a -jm9 jm8.a -jmi jmh.a -jmr
jmq.a -jn0 jmz.k -lm9 lm8.a -jnr jnq.a -jo0 jnz.u -jor joq.a -jp0 joz.a -jp9 jp8.a -jpi jph.a -jpr jpq.a -lp0 1yz
jpz.a -jq9 jq8.a -jqi jqh.a -jqr jqq.a -jr0 jqz.a -jr9 jr8.a -jri jrh.a -jrr jrq.a -js0 jrz.a -js9 js8.a -lrr 1z8
jsh.a -jsr jsq.a -jt0 jsz.a -jt9 jt8.a -jti jth.a -jtr jtq.a -ju0 jtz.k -jui juh.a -jur juq.a -lui 1zh juz.a -jv9
jv8.a -jvi jvh.a -jvr jvq.a -jw0 jvz.k -jwi jwh.a -jwr jwq.k -jx9 jx8.a -lx9 1zq jxh.a -jxr jxq.a -jy0 jxz.a -jy9
jy8.14 -jz9 jz8.a -jzi jzh.a -jzr jzq.a -m00 1zz jzz.a -k09 k08.a -k0i k0h.a -k0r k0q.a -k10 k0z.u -k1r k1q.a -k20
k1z.k -m2r m2q.a -k2r k2q.a -k30 k2z.28 -m5i m5h.k -k5i k5h.a -k5r k5q.1e -k70 k6z.a -k79 k78.a -m89 m88.a -k7r k7q.a
-k80 k7z.a -k89 k88.a -k8i k8h.a -k8r k8q.u -k9i k9h.a -k9r k9q.a -mb0 20z k9z.a -ka9 ka8.a -kai kah.a -kar kaq.a -kb0
kaz.a -kb9 kb8.a -kbi kbh.a -kbr kbq.k -kc9 kc8.a -mdr mdq.2s -mgi mgh.1o -kgi kgh.a -kgr kgq.k -kh9 kh8.a -mj9 21q
khh.a -khr khq.a -ki0 khz.a -ki9 ki8.a -kii kih.14 -kji kjh.a -kjr kjq.a -mm0 21z kjz.k -kki kkh.a -kkr kkq.a -kl0
kkz.a -kl9 kl8.14 -km9 km8.a -mor 228 kmh.k -kn0 kmz.k -kni knh.a -knr knq.14 -kor koq.a -mri 22h koz.14 -kq0 kpz.a
-kq9 kq8.a -kqi kqh.14 -mu9 22q krh.a -krr krq.a -ks0 krz.a -ks9 ks8.a -ksi ksh.a -ksr ksq.a -kt0 ksz.a -kt9 kt8.a
-kti kth.a -ktr ktq.a -mx0 22z ktz.a -ku9 ku8.1e -kvi kvh.a -kvr kvq.a -kw0 kvz.a -kw9 kw8.a -mzr 238 kwh.14 -kxi
kxh.a -kxr kxq.a -ky0 kxz.k -kyi kyh.a -kyr kyq.a -n2i 23h kyz.14 -l00 kzz.1o -n59 n58.a -l1r l1q.2i -n80 n7z.1o -l5i
l5h.a -l5r l5q.a -l60 l5z.a -l69 l68.a -nar 248 l6h.a -l6r l6q.a -l70 l6z.a -l79 l78.a -l7i l7h.a -l7r l7q.1e -ndi
ndh.2s -ng9 ng8.k -lc0 lbz.a -lc9 lc8.a -lci lch.a -lcr lcq.k -ld9 ld8.a -ldi ldh.a -ldr ldq.a -nj0 24z ldz.a -le9
le8.a -lei leh.a -ler leq.a -lf0 lez.k -lfi lfh.a -lfr lfq.a -lg0 lfz.k -nlr 258 lgh.a -lgr lgq.a -lh0 lgz.a -lh9
lh8.a -lhi lhh.a -lhr lhq.a -li0 lhz.a -li9 li8.a -lii lih.a -lir liq.a -noi 25h liz.a -lj9 lj8.a -lji ljh.a -ljr
ljq.a -lk0 ljz.a -lk9 lk8.a -lki lkh.a -lkr lkq.a -ll0 lkz.a -ll9 ll8.a -nr9 25q llh.a -llr llq.a -lm0 llz.k -lmi
lmh.a -lmr lmq.a -ln0 lmz.a -ln9 ln8.a -lni lnh.a -lnr lnq.a -nu0 25z lnz.a -lo9 lo8.a -loi loh.a -lor loq.a -lp0
loz.a -lp9 lp8.a -lpi lph.a -lpr lpq.a -lq0 lpz.a -lq9 lq8.a -nwr nwq.u -lr9 lr8.a -lri lrh.a -lrr lrq.a -ls0 lrz.a
-ls9 ls8.a -lsi lsh.a -lsr lsq.a -nzi 26h lsz.k -lti lth.a -ltr ltq.a -lu0 ltz.k -lui luh.a -lur luq.a -lv0 luz.k -o29
o28.1y -lx9 lx8.a -lxi lxh.k -o50 26z lxz.a -ly9 ly8.a -lyi lyh.u -lz9 lz8.u -m00 lzz.a -m09 m08.a -o7r 278 m0h.a -m0r
m0q.u -m1i m1h.a -m1r m1q.a -m20 m1z.a -m29 m28.a -m2i m2h.a -m2r m2q.a -oai 27h m2z.a -m39 m38.a -m3i m3h.a -m3r
m3q.1y -od9 od8.2s -og0 27z m7z.a -m89 m88.a -m8i m8h.a -m8r m8q.k -m99 m98.a -m9i m9h.a -m9r m9q.a -ma0 m9z.a -ma9
ma8.a -oir 288 mah.a -mar maq.a -mb0 maz.k -mbi mbh.a -mbr mbq.a -mc0 mbz.k -mci mch.a -mcr mcq.a -oli 28h mcz.a -md9
md8.a -mdi mdh.a -mdr mdq.a -me0 mdz.a -me9 me8.a -mei meh.a -mer meq.a -mf0 mez.a -mf9 mf8.a -oo9 28q mfh.a -mfr
mfq.a -mg0 mfz.a -mg9 mg8.a -mgi mgh.a -mgr mgq.a -mh0 mgz.a -mh9 mh8.a -mhi mhh.a -mhr mhq.a -or0 28z mhz.k -mii
mih.a -mir miq.a -mj0 miz.a -mj9 mj8.a -mji mjh.a -mjr mjq.a -mk0 mjz.a -mk9 mk8.a -otr 298 mkh.a -mkr mkq.k -ml9
ml8.a -mli mlh.a -mlr mlq.a -mm0 mlz.a -mm9 mm8.u -owi owh.a -mn9 mn8.a -mni mnh.a -mnr mnq.a -mo0 mnz.a -mo9 mo8.a
-moi moh.a -mor moq.a -mp0 moz.k -oz9 29q mph.a -mpr mpq.a -mq0 mpz.k -mqi mqh.a -mqr mqq.a -mr0 mqz.14 -p20 p1z.1e
-mt9 mt8.a -mti mth.14 -p4r p4q.u -mv9 mv8.a -mvi mvh.k -mw0 mvz.a -mw9 mw8.a -mwi mwh.a -mwr mwq.a -p7i p7h.k -mxi
mxh.a -mxr mxq.a -my0 mxz.a -my9 my8.a -myi myh.a -myr myq.a -mz0 myz.a -mz9 mz8.a -pa9 2aq mzh.a -mzr mzq.k -n09
n08.a -n0i n0h.1o -pd0 pcz.28 -n40 n3z.a -n49 n48.a -pfr 2b8 n4h.a -n4r n4q.a -n50 n4z.a -n59 n58.a -n5i n5h.a -n5r
n5q.a -n60 n5z.a -n69 n68.a -n6i n6h.a -n6r n6q.a -pii 2bh n6z.k -n7i n7h.a -n7r n7q.a -n80 n7z.k -n8i n8h.a -n8r
n8q.a -n90 n8z.a -n99 n98.a -pl9 2bq n9h.a -n9r n9q.a -na0 n9z.a -na9 na8.a -nai nah.a -nar naq.a -nb0 naz.a -nb9
nb8.a -nbi nbh.a -nbr nbq.a -po0 2bz nbz.a -nc9 nc8.a -nci nch.a -ncr ncq.a -nd0 ncz.a -nd9 nd8.a -ndi ndh.a -ndr
ndq.a -ne0 ndz.a -ne9 ne8.a -pqr 2c8 neh.a -ner neq.a -nf0 nez.a -nf9 nf8.a -nfi nfh.a -nfr nfq.a -ng0 nfz.a -ng9
ng8.a -ngi ngh.a -ngr ngq.a -pti 2ch ngz.a -nh9 nh8.a -nhi nhh.a -nhr nhq.a -ni0 nhz.a -ni9 ni8.a -nii nih.u -nj9
nj8.a -pw9 2cq njh.a -njr njq.a -nk0 njz.a -nk9 nk8.a -nki nkh.a -nkr nkq.a -nl0 nkz.k -nli nlh.a -nlr nlq.a -pz0 2cz
nlz.k -nmi nmh.a -nmr nmq.a -nn0 nmz.k -nni nnh.14 -q1r q1q.k -np0 noz.a -np9 np8.a -npi nph.a -npr npq.1e -q4i q4h.u
-nrr nrq.a -ns0 nrz.a -ns9 ns8.a -nsi nsh.a -nsr nsq.u -q79 2dq nth.a -ntr ntq.a -nu0 ntz.a -nu9 nu8.a -nui nuh.a -nur
nuq.a -nv0 nuz.a -nv9 nv8.a -nvi nvh.a -nvr nvq.a -qa0 q9z.2s -qcr 2e8 nyh.a -nyr nyq.a -nz0 nyz.a -nz9 nz8.a -nzi
nzh.a -nzr nzq.k -o09 o08.a -o0i o0h.a -o0r o0q.a -qfi qfh.a -o19 o18.a -o1i o1h.a -o1r o1q.a -o20 o1z.a -o29 o28.a
-o2i o2h.a -o2r o2q.a -o30 o2z.a -o39 o38.a -qi9 2eq o3h.a -o3r o3q.a -o40 o3z.a -o49 o48.a -o4i o4h.a -o4r o4q.a -o50
o4z.a -o59 o58.a -o5i o5h.k -ql0 qkz.k -o6i o6h.a -o6r o6q.a -o70 o6z.a -o79 o78.a -o7i o7h.a -o7r o7q.a -o80 o7z.a
-o89 o88.a -qnr 2f8 o8h.a -o8r o8q.a -o90 o8z.a -o99 o98.a -o9i o9h.a -o9r o9q.a -oa0 o9z.a -oa9 oa8.a -oai oah.a -oar
oaq.a -qqi 2fh oaz.a -ob9 ob8.a -obi obh.a -obr obq.a -oc0 obz.a -oc9 oc8.k -ocr ocq.a -od0 ocz.a -od9 od8.a -qt9 2fq
odh.a -odr odq.a -oe0 odz.a -oe9 oe8.a -oei oeh.a -oer oeq.k -of9 of8.u -qw0 2fz ofz.a -og9 og8.a -ogi ogh.a -ogr
ogq.a -oh0 ogz.a -oh9 oh8.a -ohi ohh.14 -qyr qyq.1e -ojr ojq.a -ok0 ojz.a -ok9 ok8.a -oki okh.a -okr okq.a -r1i 2gh
okz.k -oli olh.k -om0 olz.a -om9 om8.a -omi omh.a -omr omq.a -on0 omz.a -on9 on8.a -r49 2gq onh.a -onr onq.1y -opi
oph.a -opr opq.a -r70 2gz opz.a -oq9 oq8.a -oqi oqh.a -oqr oqq.a -or0 oqz.a -or9 or8.a -ori orh.a -orr orq.u -r9r 2h8
osh.a -osr osq.2i -rci rch.1e -ow9 ow8.a -owi owh.a -owr owq.a -ox0 owz.a -ox9 ox8.a -rf9 2hq oxh.a -oxr oxq.a -oy0
oxz.a -oy9 oy8.a -oyi oyh.a -oyr oyq.a -oz0 oyz.a -oz9 oz8.a -ozi ozh.a -ozr ozq.a -ri0 2hz ozz.a -p09 p08.a -p0i
p0h.a -p0r p0q.a -p10 p0z.a -p19 p18.a -p1i p1h.a -p1r p1q.a -p20 p1z.a -p29 p28.a -rkr 2i8 p2h.a -p2r p2q.a -p30
p2z.a -p39 p38.a -p3i p3h.a -p3r p3q.a -p40 p3z.a -p49 p48.a -p4i p4h.a -p4r p4q.a -rni 2ih p4z.a -p59 p58.a -p5i
p5h.a -p5r p5q.a -p60 p5z.a -p69 p68.a -p6i p6h.a -p6r p6q.a -p70 p6z.a -p79 p78.a -rq9 2iq p7h.a -p7r p7q.a -p80
p7z.a -p89 p88.a -p8i p8h.a -p8r p8q.a -p90 p8z.a -p99 p98.a -p9i p9h.a -p9r p9q.a -rt0 2iz p9z.a -pa9 pa8.a -pai
pah.1o -pc0 pbz.a -pc9 pc8.a -rvr 2j8 pch.a -pcr pcq.a -pd0 pcz.a -pd9 pd8.a -pdi pdh.1o -ryi ryh.a -pf9 pf8.u -pg0
pfz.a -pg9 pg8.a -pgi pgh.a -pgr pgq.a -ph0 pgz.a -ph9 ph8.a -s19 2jq phh.a -phr phq.a -pi0 phz.a -pi9 pi8.1y -s40
s3z.2s -s6r s6q.2s -s9i s9h.2s -sc9 sc8.u -ps9 ps8.a -psi psh.k -pt0 psz.k -pti pth.a -ptr ptq.a -sf0 2kz ptz.a -pu9
pu8.a -pui puh.k -pv0 puz.a -pv9 pv8.a -pvi pvh.a -pvr pvq.a -pw0 pvz.a -pw9 pw8.a -shr 2l8 pwh.a -pwr pwq.a -px0
pwz.a -px9 px8.a -pxi pxh.a -pxr pxq.a -py0 pxz.a -py9 py8.a -pyi pyh.a -pyr pyq.a -ski 2lh pyz.a -pz9 pz8.a -pzi
pzh.a -pzr pzq.a -q00 pzz.a -q09 q08.a -q0i q0h.a -q0r q0q.k -q19 q18.a -sn9 sn8.a -q1r q1q.a -q20 q1z.a -q29 q28.a
-q2i q2h.a -q2r q2q.a -q30 q2z.a -q39 q38.a -q3i q3h.a -q3r q3q.a -sq0 2lz q3z.a -q49 q48.a -q4i q4h.a -q4r q4q.a -q50
q4z.a -q59 q58.a -q5i q5h.a -q5r q5q.a -q60 q5z.a -q69 q68.a -ssr ssq.a -q6r q6q.a -q70 q6z.a -q79 q78.u -q80 q7z.a
-q89 q88.a -q8i q8h.a -q8r q8q.a -svi 2mh q8z.k -q9i q9h.1y -qb9 qb8.a -sy9 sy8.k -qc0 qbz.a -qc9 qc8.a -qci qch.a
-qcr qcq.a -qd0 qcz.a -qd9 qd8.a -qdi qdh.a -qdr qdq.a -t10 2mz qdz.a -qe9 qe8.u -qf0 qez.a -qf9 qf8.a -qfi qfh.a -qfr
qfq.u -t3r t3q.2s -t6i t6h.2s -t99 t98.2s -tc0 2nz qnz.2s -ter teq.2s -thi thh.2s -tk9 tk8.k -qw0 qvz.a -qw9 qw8.a
-qwi qwh.a -qwr qwq.a -qx0 qwz.a -qx9 qx8.a -qxi qxh.a -qxr qxq.a -tn0 2oz qxz.a -qy9 qy8.2i -tpr tpq.2s -tsi tsh.14
-r40 r3z.a -r49 r48.a -r4i r4h.a -r4r r4q.a -r50 r4z.a -r59 r58.a -tv9 2pq r5h.a -r5r r5q.k -r69 r68.a -r6i r6h.a -r6r
r6q.a -r70 r6z.a -r79 r78.a -r7i r7h.a -r7r r7q.a -ty0 2pz r7z.a -r89 r88.a -r8i r8h.a -r8r r8q.a -r90 r8z.a -r99
r98.a -r9i r9h.a -r9r r9q.a -ra0 r9z.a -ra9 ra8.a -u0r 2q8 rah.a -rar raq.a -rb0 raz.a -rb9 rb8.a -rbi rbh.a -rbr
rbq.a -rc0 rbz.a -rc9 rc8.a -rci rch.a -rcr rcq.a -u3i 2qh rcz.a -rd9 rd8.a -rdi rdh.a -rdr rdq.a -re0 rdz.a -re9
re8.a -rei reh.a -rer req.a -rf0 rez.k -u69 u68.u -rg9 rg8.a -rgi rgh.a -rgr rgq.a -rh0 rgz.a -rh9 rh8.a -rhi rhh.a
-rhr rhq.a -u90 2qz rhz.a -ri9 ri8.a -rii rih.a -rir riq.a -rj0 riz.a -rj9 rj8.a -rji rjh.a -rjr rjq.a -rk0 rjz.a -rk9
rk8.a -ubr ubq.1o -rm0 rlz.a -rm9 rm8.a -rmi rmh.a -rmr rmq.a -uei 2rh rmz.a -rn9 rn8.a -rni rnh.a -rnr rnq.a -ro0
rnz.a -ro9 ro8.a -roi roh.a -ror roq.a -rp0 roz.a -rp9 rp8.a -uh9 2rq rph.a -rpr rpq.k -rq9 rq8.a -rqi rqh.a -rqr
rqq.a -rr0 rqz.a -rr9 rr8.a -rri rrh.a -rrr rrq.a -uk0 2rz rrz.a -rs9 rs8.a -rsi rsh.a -rsr rsq.a -rt0 rsz.a -rt9
rt8.a -rti rth.a -rtr rtq.a -ru0 rtz.a -ru9 ru8.a -umr 2s8 ruh.a -rur ruq.a -rv0 ruz.a -rv9 rv8.a -rvi rvh.a -rvr
rvq.a -rw0 rvz.a -rw9 rw8.a -rwi rwh.a -rwr rwq.a -upi 2sh rwz.a -rx9 rx8.a -rxi rxh.a -rxr rxq.a -ry0 rxz.a -ry9
ry8.a -ryi ryh.a -ryr ryq.a -rz0 ryz.k -us9 us8.2s -uv0 uuz.2s -uxr uxq.2s -v0i v0h.2s -v39 v38.2s -v60 v5z.2s -v8r
v8q.1o -sg0 sfz.a -sg9 sg8.a -sgi sgh.a -sgr sgq.a -vbi 2uh sgz.a -sh9 sh8.a -shi shh.a -shr shq.a -si0 shz.a -si9
si8.a -sii sih.a -sir siq.a -sj0 siz.a -sj9 sj8.a -ve9 2uq sjh.a -sjr sjq.a -sk0 sjz.a -sk9 sk8.a -ski skh.a -skr
skq.a -sl0 skz.a -sl9 sl8.a -sli slh.a -slr slq.a -vh0 2uz slz.a -sm9 sm8.a -smi smh.a -smr smq.a -sn0 smz.a -sn9
sn8.a -sni snh.a -snr snq.a -so0 snz.a -so9 so8.a -vjr 2v8 soh.a -sor soq.a -sp0 soz.a -sp9 sp8.a -spi sph.a -spr
spq.a -sq0 spz.a -sq9 sq8.a -sqi sqh.a -sqr sqq.a -vmi 2vh sqz.a -sr9 sr8.a -sri srh.a -srr srq.a -ss0 srz.a -ss9
ss8.a -ssi ssh.a -ssr ssq.a -st0 ssz.a -st9 st8.a -vp9 2vq sth.k -su0 stz.u -sur suq.a -sv0 suz.a -sv9 sv8.a -svi
svh.a -svr svq.a -vs0 2vz svz.a -sw9 sw8.a -swi swh.a -swr swq.a -sx0 swz.a -sx9 sx8.a -sxi sxh.a -sxr sxq.a -sy0
sxz.a -sy9 sy8.a -vur vuq.1o -t00 szz.a -t09 t08.a -t0i t0h.a -t0r t0q.a -vxi 2wh t0z.a -t19 t18.a -t1i t1h.a -t1r
t1q.a -t20 t1z.a -t29 t28.a -t2i t2h.a -t2r t2q.a -t30 t2z.a -t39 t38.a -w09 2wq t3h.a -t3r t3q.a -t40 t3z.a -t49
t48.a -t4i t4h.a -t4r t4q.a -t50 t4z.a -t59 t58.a -t5i t5h.a -t5r t5q.a -w30 2wz t5z.a -t69 t68.a -t6i t6h.a -t6r
t6q.a -t70 t6z.a -t79 t78.a -t7i t7h.a -t7r t7q.a -t80 t7z.a -t89 t88.a -w5r 2x8 t8h.a -t8r t8q.a -t90 t8z.5 -t94.7
tas.8 -w8i 2xh taz.a -tb9 tb8.a -tbi tbh.a -tbr tbq.8 -tby tbz.a -tc9 tc8.a -tci tch.a -tcr tcq.a -td0 tcz.a -td9
td8.a -wb9 2xq tdh.a -tdr tdq.a -te0 tdz.a -te9 te8.a -tei teh.a -ter teq.a -tf0 tez.a -tf9 tf8.a -tfi tfh.a -tfr
tfq.a -we0 2xz tfz.a -tg9 tg8.a -tgi tgh.a -tgr tgq.a -th0 tgz.a -th9 th8.a -thi thh.a -thr thq.a -ti0 thz.a -ti9
ti8.a -wgr 2y8 tih.9 -tiq tis.8 -tj0 tiz.a -tj9 tj8.a -tjg tjz.a -tk9 tk8.a -tki tkh.a -tkr tkq.a -wji 2yh tkz.7 -tl6
tla.8 -tli tlk.7 -tlr tlq.a -tm0 tlz.a -tm9 tm8.a -tmi tmh.a -tmr tmq.a -tn0 tmz.a -tn9 tn8.a -wm9 2yq tnh.a -tnr
tnq.a -to0 tnz.a -to9 to8.6 -toe.4 tpd.5 -tpi tph.4 2.4 -tpr tpq.a -wp0 2yz tpz.a -tq9 tq8.a -tqi tqh.a -tqr tqq.a
-tr0 tqz.a -tr9 tr8.a -tri trh.a -trr trq.a -ts0 trz.9 -ts8 ts9.9 -wrr 2z8 tsh.a -tsr tsq.a -tt0 tsz.a -tt9 tt8.k -ttr
ttq.5 5.2 1 1.5 o.6 -wui wuh.a -tv9 tv8.4 1.p -tw0 tvz.8 -tw7.3 tws.8 -tx0 twz.a -tx9 tx8.a -wx9 2zq txh.a -txr txq.a
-ty0 txz.4 -ty3 tye.4 -tyi tyh.a -tyr tyq.a -tz0 tyz.a -tz9 tz8.a -tzi tzh.a -tzr tzq.a -x00 2zz tzz.4 1 -u05 u0e.4
-u0i u0h.6 -u0n.3 u18.6 3 -u1i u1i.9 -u1r u1q.a -u20 u1z.a -u29 u28.a -x2r 308 u2h.7 -u2o u2s.8 -u30 u2z.a -u39 u38.a
-u3i u3h.7 -u3o.2 u3z.a -u49 u48.a -u4i u4h.9 -u4q u4s.8 -x5i 30h u4z.a -u59 u58.a -u5i u5h.a -u5r u5q.a -u60 u5z.3
1.6 -u69 u68.6 -u6e u6s.9 -u70 u6z.2 6.2 -u79 u78.a -x89 30q u7h.a -u7r u7q.9 -u7z u7z.a -u89 u88.a -u8i u8h.a -u8r
u8q.a -u90 u8z.a -u99 u98.5 -u9d u9l.6 -u9r u9q.8 -xay 30z u9z.a -ua9 uae.4 -uai uah.a -uar uaq.9 -uaz ub1.8 -ub9
ub8.a -ubi ubh.a -ubr ubq.a -uc0 ubz.a -uc9 uc8.a -xdr 318 uch.a -ucr ucq 1 1 -ucv.2 udh -udi udh.2 2.6 -udr udq.a
-ue0 ue1.4 -ue5 uef.3 -uei ueh.3 2.5 -uer ueq 2.6 -xgh 31h uf7.2 -uf9 uf8.5 1.4 -ufi ufh.3 1.6 -ufr ufq.a -ug0 ufz.a
-ug9 ug8.a -ugi ugh.7 1.2 -ugr ugq.a -uh0 ugz.2 6.2 -uh9 uh8.a -xj9 31q uhh.a -uhr uhq.a -ui0 uhz.a -ui9 ui8.a -uii
uih.a -uir uiq.a -uj0 uiz.a -uj9 uj8.a -uji ujh.a -ujr ujq.a -xm0 31z ujz.a -uk9 uk8 5.4 -uki ukh.6 -ukn uks.8 -ul0
ukz.a -ul9 ul8.a -uli ulh.a -ulr ulq.a -um0 ulz.a -um9 um8.a -xor 328 umh.a -umr umq.a -un0 umz.a -un9 un8.a -uni
unh.a -unr unq.a -uo0 unz.a -uo9 uo8.a -uoi uoh.a -uor uoq.a -xri 32h uoz.a -up9 up8.a -upi uph.a -upr upq.a -uq0
upz.a -uq9 uq8.a -uqi uqh.a -uqr uqq.a -ur0 uqz.a -ur9 ur8.a -xu9 32q urh.a -urr urq.a -us0 urz.a -us9 us8.a -usi
ush.a -usr usq.a -ut0 usz.a -ut9 ut8.a -uti uth.a -utr utq.a -xx0 32z utz.a -uu9 uu8.a -uui uuh.a -uur uuq.a -uv0
uuz.a -uv9 uv8.a -uvi uvh.a -uvr uvq.a -uw0 uvz.a -uw9 uw8.a -xzr 338 uwh.a -uwr uwq.a -ux0 uwz.a -ux9 ux8.a -uxi
uxh.a -uxr uxq.a -uy0 uxz.a -uy9 uy8.a -uyi uyh.a -uyr uyq.a -y2i 33h uyz.a -uz9 uz8.a -uzi uzh.a -uzr uzq.a -v00
uzz.a -v09 v08.a -v0i v0h.a -v0r v0q.a -v10 v0z.a -v19 v18.a -y59 33q v1h.a -v1r v1q.a -v20 v1z.a -v29 v28.a -v2i
v2h.a -v2r v2q.a -v30 v2z.a -v39 v38.a -v3i v3h.a -v3r v3q.a -y80 33z v3z.a -v49 v48.a -v4i v4h.a -v4r v4q.a -v50
v4z.a -v59 v58.a -v5i v5h.a -v5r v5q.a -v60 v5z.a -v69 v68.a -yar 348 v6h.a -v6r v6q.a -v70 v6z.a -v79 v78.a -v7i
v7h.a -v7r v7q.a -v80 v7z.a -v89 v88.a -v8i v8h.a -v8r v8q.a -ydi 34h v8z.a -v99 v98.a -v9i v9h.a -v9r v9q.a -va0
v9z.a -va9 va8.a -vai vah.a -var vaq.a -vb0 vaz.a -vb9 vb8.a -yg9 34q vbh.a -vbr vbq.a -vc0 vbz.a -vc9 vc8.a -vci
vch.a -vcr vcq.a -vd0 vcz.a -vd9 vd8.a -vdi vdh.a -vdr vdq.a -yj0 34z vdz.a -ve9 ve8.a -vei veh.a -ver veq.a -vf0
vez.a -vf9 vf8.a -vfi vfh.a -vfr vfq.a -vg0 vfz.a -vg9 vg8.a -ylr 358 vgh.a -vgr vgq.a -vh0 vgz.a -vh9 vh8.a -vhi
vhh.a -vhr vhq.a -vi0 vhz.a -vi9 vi8.a -vii vih.a -vir viq.a -yoi 35h viz.a -vj9 vj8.a -vji vjh.a -vjr vjq.a -vk0
vjz.a -vk9 vk8.a -vki vkh.a -vkr vkq.a -vl0 vkz.a -vl9 vl8.a -yr9 35q vlh.a -vlr vlq.a -vm0 vlz.a -vm9 vm8.a -vmi
vmh.a -vmr vmq.a -vn0 vmz.a -vn9 vn8.a -vni vnh.a -vnr vnq.a -yu0 35z vnz.a -vo9 vo8.a -voi voh.a -vor voq.a -vp0
voz.a -vp9 vp8.a -vpi vph.a -vpr vpq.a -vq0 vpz.a -vq9 vq8.a -ywr 368 vqh.a -vqr vqq.a -vr0 vqz.a -vr9 vr8.a -vri
vrh.a -vrr vrq.a -vs0 vrz.a -vs9 vs8.a -vsi vsh.a -vsr vsq.a -yzi 36h vsz.a -vt9 vt8.a -vti vth.a -vtr vtq.a -vu0
vtz.a -vu9 vu8.a -vui vuh.a -vur vuq.a -vv0 vuz.a -vv9 vv8.a -z29 36q vvh.a -vvr vvq.a -vw0 vvz.a -vw9 vw8.a -vwi
vwh.a -vwr vwq.a -vx0 vwz.a -vx9 vx8.a -vxi vxh.a -vxr vxq.a -z50 36z vxz.a -vy9 vy8.a -vyi vyh.a -vyr vyq.a -vz0
vyz.a -vz9 vz8.a -vzi vzh.a -vzr vzq.a -w00 vzz.a -w09 w08.a -z7r 378 w0h.a -w0r w0q.a -w10 w0z.a -w19 w18.a -w1i
w1h.a -w1r w1q.a -w20 w1z.a -w29 w28.a -w2i w2h.a -w2r w2q.a -zai 37h w2z.a -w39 w38.a -w3i w3h.a -w3r w3q.a -w40
w3z.a -w49 w48.a -w4i w4h.a -w4r w4q.a -w50 w4z.a -w59 w58.a -zd9 37q w5h.a -w5r w5q.a -w60 w5z.a -w69 w68.a -w6i
w6h.a -w6r w6q.a -w70 w6z.a -w79 w78.a -w7i w7h.a -w7r w7q.a -zg0 37z w7z.a -w89 w88.a -w8i w8h.a -w8r w8q.a -w90
w8z.a -w99 w98.a -w9i w9h.a -w9r w9q.a -wa0 w9z.a -wa9 wa8.a -zir 388 wah.a -war waq.a -wb0 waz.a -wb9 wb8.a -wbi
wbh.a -wbr wbq.a -wc0 wbz.a -wc9 wc8.a -wci wch.a -wcr wcq.a -zli 38h wcz.a -wd9 wd8.a -wdi wdh.a -wdr wdq.a -we0
wdz.a -we9 we8.a -wei weh.a -wer weq.a -wf0 wez.a -wf9 wf8.a -zo9 38q wfh.a -wfr wfq.a -wg0 wfz.a -wg9 wg8.a -wgi
wgh.a -wgr wgq.a -wh0 wgz.a -wh9 wh8.a -whi whh.a -whr whq.a -zr0 38z whz.k -wii wih.a -wir wiq.a -wj0 wiz.a -wj9
wj8.u -wk0 wjz.a -wk9 wk8.a -ztr 398 wkh.a -wkr wkq.a -wl0 wkz.a -wl9 wl8.a -wli wlh.k -wm0 wlz.k -wmi wmh.a -wmr
wmq.a -zwi 39h wmz.a -wn9 wn8.u -wo0 wnz.a -wo9 wo8.a -woi woh.a -wor woq.a -wp0 woz.a -wp9 wp8.a -zz9 39q wph.a -wpr
wpq.a -wq0 wpz.a -wq9 wq8.a -wqi wqh.a -wqr wqq.a -wr0 wqz.a -wr9 wr8.a -wri wrh.a -wrr wrq.a -1020 39z wrz.a -ws9
ws8.a -wsi wsh.a -wsr wsq.a -wt0 wsz.a -wt9 wt8.a -wti wth.a -wtr wtq.a -wu0 wtz.a -wu9 wu8.a -104r 3a8 wuh.a -wur
wuq.a -wv0 wuz.a -wv9 wv8.a -wvi wvh.a -wvr wvq.a -ww0 wvz.a -ww9 ww8.a -wwi wwh.a -wwr wwq.a -107i 3ah wwz.a -wx9
wx8.a -wxi wxh.a -wxr wxq.a -wy0 wxz.k -wyi wyh.a -wyr wyq.a -wz0 wyz.a -wz9 wz8.a -10a9 10a8.k -x00 wzz.a -x09 x08.a
-x0i x0h.a -x0r x0q.a -x10 x0z.a -x19 x18.a -x1i x1h.a -x1r x1q.a -10d0 3az x1z.a -x29 x28.a -x2i x2h.a -x2r x2q.a
-x30 x2z.a -x39 x38.a -x3i x3h.a -x3r x3q.a -x40 x3z.a -x49 x48.a -10fr 3b8 x4h.a -x4r x4q.a -x50 x4z.a -x59 x58.a
-x5i x5h.a -x5r x5q.a -x60 x5z.a -x69 x68.a -x6i x6h.a -x6r x6q.a -10ii 3bh x6z.a -x79 x78.a -x7i x7h.a -x7r x7q.a
-x80 x7z.k -x8i x8h.a -x8r x8q.a -x90 x8z.a -x99 x98.a -10l9 10l8.k -xa0 x9z.a -xa9 xa8.a -xai xah.a -xar xaq.a -xb0
xaz.a -xb9 xb8.a -xbi xbh.k -10o0 3bz xbz.k -xci xch.a -xcr xcq.a -xd0 xcz.a -xd9 xd8.u -xe0 xdz.a -xe9 xe8.a -10qr
3c8 xeh.a -xer xeq.a -xf0 xez.a -xf9 xf8.a -xfi xfh.a -xfr xfq.a -xg0 xfz.a -xg9 xg8.a -xgi xgh.a -xgr xgq.a -10ti 3ch
xgz.a -xh9 xh8.a -xhi xhh.k -xi0 xhz.a -xi9 xi8.a -xii xih.a -xir xiq.a -xj0 xiz.a -xj9 xj8.a -10w9 3cq xjh.a -xjr
xjq.a -xk0 xjz.a -xk9 xk8.a -xki xkh.a -xkr xkq.a -xl0 xkz.a -xl9 xl8.a -xli xlh.a -xlr xlq.a -10z0 3cz xlz.a -xm9
xm8.a -xmi xmh.a -xmr xmq.a -xn0 xmz.a -xn9 xn8.a -xni xnh.a -xnr xnq.a -xo0 xnz.a -xo9 xo8.a -111r 3d8 xoh.a -xor
xoq.a -xp0 xoz.a -xp9 xp8.a -xpi xph.a -xpr xpq.a -xq0 xpz.a -xq9 xq8.a -xqi xqh.a -xqr xqq.a -114i 3dh xqz.a -xr9
xr8.a -xri xrh.a -xrr xrq.a -xs0 xrz.a -xs9 xs8.a -xsi xsh.a -xsr xsq.a -xt0 xsz.a -xt9 xt8.a -1179 3dq xth.a -xtr
xtq.a -xu0 xtz.a -xu9 xu8.a -xui xuh.a -xur xuq.a -xv0 xuz.a -xv9 xv8.a -xvi xvh.a -xvr xvq.a -11a0 3dz xvz.k -xwi
xwh.a -xwr xwq.a -xx0 xwz.a -xx9 xx8.u -xy0 xxz.a -xy9 xy8.a -11cr 3e8 xyh.a -xyr xyq.a -xz0 xyz.a -xz9 xz8.a -xzi
xzh.a -xzr xzq.a -y00 xzz.a -y09 y08.a -y0i y0h.a -y0r y0q.a -11fi 3eh y0z.a -y19 y18.a -y1i y1h.a -y1r y1q.a -y20
y1z.a -y29 y28.a -y2i y2h.a -y2r y2q.a -y30 y2z.a -y39 y38.a -11i9 3eq y3h.a -y3r y3q.a -y40 y3z.a -y49 y48.a -y4i
y4h.a -y4r y4q.a -y50 y4z.a -y59 y58.a -y5i y5h.a -y5r y5q.a -11l0 3ez y5z.a -y69 y68.a -y6i y6h.a -y6r y6q.a -y70
y6z.a -y79 y78.a -y7i y7h.a -y7r y7q.a -y80 y7z.a -y89 y88.a -11nr 3f8 y8h.a -y8r y8q.a -y90 y8z.a -y99 y98.a -y9i
y9h.a -y9r y9q.a -ya0 y9z.a -ya9 ya8.a -yai yah.a -yar yaq.a -11qi 3fh yaz.a -yb9 yb8.a -ybi ybh.a -ybr ybq.a -yc0
ybz.a -yc9 yc8.a -yci ych.a -ycr ycq.a -yd0 ycz.a -yd9 yd8.a -11t9 3fq ydh.a -ydr ydq.a -ye0 ydz.a -ye9 ye8.a -yei
yeh.1o -11w0 11vz.2s -11yr 11yq.2s -121i 121h.2s -1249 1248.k -yo0 ynz.a -yo9 yo8.a -yoi yoh.a -yor yoq.a -yp0 yoz.a
-yp9 yp8.a -ypi yph.a -ypr ypq.a -1270 3gz ypz.a -yq9 yq8.a -yqi yqh.a -yqr yqq.a -yr0 yqz.a -yr9 yr8.a -yri yrh.a
-yrr yrq.u -129r 129q.2s -12ci 12ch.14 -yw0 yvz.a -yw9 yw8.a -ywi ywh.a -ywr ywq.a -yx0 ywz.a -yx9 yx8.a -12f9 3hq
yxh.a -yxr yxq.a -yy0 yxz.a -yy9 yy8.a -yyi yyh.a -yyr yyq.a -yz0 yyz.a -yz9 yz8.a -yzi yzh.a -yzr yzq.a -12i0 3hz
yzz.a -z09 z08.a -z0i z0h.a -z0r z0q.a -z10 z0z.a -z19 z18.a -z1i z1h.a -z1r z1q.a -z20 z1z.a -z29 z28.a -12kr 3i8
z2h.a -z2r z2q.a -z30 z2z.a -z39 z38.a -z3i z3h.a -z3r z3q.a -z40 z3z.a -z49 z48.a -z4i z4h.a -z4r z4q.a -12ni 3ih
z4z.a -z59 z58.a -z5i z5h.a -z5r z5q.a -z60 z5z.a -z69 z68.a -z6i z6h.a -z6r z6q.a -z70 z6z.a -z79 z78.a -12q9 3iq
z7h.a -z7r z7q.a -z80 z7z.a -z89 z88.a -z8i z8h.a -z8r z8q.a -z90 z8z.a -z99 z98.a -z9i z9h.a -z9r z9q.a -12t0 3iz
z9z.a -za9 za8.a -zai zah.a -zar zaq.a -zb0 zaz.a -zb9 zb8.a -zbi zbh.a -zbr zbq.a -zc0 zbz.a -zc9 zc8.a -12vr 3j8
zch.a -zcr zcq.a -zd0 zcz.a -zd9 zd8.a -zdi zdh.a -zdr zdq.a -ze0 zdz.a -ze9 ze8.a -zei zeh.a -zer zeq.a -12yi 3jh
zez.a -zf9 zf8.a -zfi zfh.a -zfr zfq.a -zg0 zfz.a -zg9 zg8.a -zgi zgh.a -zgr zgq.a -zh0 zgz.a -zh9 zh8.a -1319 1318.k
-zi0 zhz.a -zi9 zi8.a -zii zih.a -zir ziq.a -zj0 ziz.a -zj9 zj8.u -1340 133z.a -zk9 zk8.a -zki zkh.a -zkr zkq.a -zl0
zkz.a -zl9 zl8.a -zli zlh.a -zlr zlq.a -zm0 zlz.a -zm9 zm8.a -136r 3k8 zmh.a -zmr zmq.a -zn0 zmz.a -zn9 zn8.a -zni
znh.a -znr znq.a -zo0 znz.a -zo9 zo8.a -zoi zoh.a -zor zoq.a -139i 3kh zoz.a -zp9 zp8.a -zpi zph.a -zpr zpq.a -zq0
zpz.a -zq9 zq8.a -zqi zqh.a -zqr zqq.a -zr0 zqz.a -zr9 zr8.a -13c9 3kq zrh.a -zrr zrq.a -zs0 zrz.a -zs9 zs8.a -zsi
zsh.a -zsr zsq.a -zt0 zsz.a -zt9 zt8.a -zti zth.a -ztr ztq.a -13f0 3kz ztz.a -zu9 zu8.a -zui zuh.a -zur zuq.a -zv0
zuz.a -zv9 zv8.a -zvi zvh.a -zvr zvq.a -zw0 zvz.a -zw9 zw8.a -13hr 3l8 zwh.a -zwr zwq.a -zx0 zwz.a -zx9 zx8.a -zxi
zxh.a -zxr zxq.a -zy0 zxz.a -zy9 zy8.a -zyi zyh.a -zyr zyq.a -13ki 3lh zyz.a -zz9 zz8.a -zzi zzh.a -zzr zzq.a -1000
zzz.a -1009 1008.a -100i 100h.a -100r 100q.a -1010 100z.a -1019 1018.a -13n9 3lq 101h.a -101r 101q.a -1020 101z.a
-1029 1028.a -102i 102h.a -102r 102q.a -1030 102z.a -1039 1038.a -103i 103h.a -103r 103q.a -13q0 3lz 103z.a -1049
1048.a -104i 104h.a -104r 104q.a -1050 104z.a -1059 1058.a -105i 105h.a -105r 105q.a -1060 105z.a -1069 1068.a -13sr
3m8 106h.a -106r 106q.a -1070 106z.a -1079 1078.a -107i 107h.a -107r 107q.a -1080 107z.a -1089 1088.a -108i 108h.a
-108r 108q.a -13vi 3mh 108z.a -1099 1098.a -109i 109h.a -109r 109q.a -10a0 109z.a -10a9 10a8.a -10ai 10ah.a -10ar
10aq.a -10b0 10az.a -10b9 10b8.a -13y9 3mq 10bh.a -10br 10bq.a -10c0 10bz.a -10c9 10c8.a -10ci 10ch.a -10cr 10cq.a
-10d0 10cz.a -10d9 10d8.a -10di 10dh.a -10dr 10dq.a -1410 3mz 10dz.a -10e9 10e8.a -10ei 10eh.a -10er 10eq.a -10f0
10ez.a -10f9 10f8.a -10fi 10fh.a -10fr 10fq.a -10g0 10fz.a -10g9 10g8.a -143r 3n8 10gh.a -10gr 10gq.a -10h0 10gz.a
-10h9 10h8.a -10hi 10hh.a -10hr 10hq.a -10i0 10hz.a -10i9 10i8.a -10ii 10ih.a -10ir 10iq.a -146i 3nh 10iz.a -10j9
10j8.a -10ji 10jh.a -10jr 10jq.a -10k0 10jz.a -10k9 10k8.a -10ki 10kh.a -10kr 10kq.a -10l0 10kz.a -10l9 10l8.a -1499
3nq 10lh.a -10lr 10lq.a -10m0 10lz.a -10m9 10m8.a -10mi 10mh.a -10mr 10mq.a -10n0 10mz.a -10n9 10n8.a -10ni 10nh.a
-10nr 10nq.a -14c0 3nz 10nz.a -10o9 10o8.a -10oi 10oh.a -10or 10oq.a -10p0 10oz.a -10p9 10p8.a -10pi 10ph.a -10pr
10pq.a -10q0 10pz.a -10q9 10q8.a -14er 3o8 10qh.a -10qr 10qq.a -10r0 10qz.a -10r9 10r8.a -10ri 10rh.a -10rr 10rq.a
-10s0 10rz.a -10s9 10s8.a -10si 10sh.a -10sr 10sq.a -14hi 3oh 10sz.a -10t9 10t8.a -10ti 10th.a -10tr 10tq.a -10u0
10tz.a -10u9 10u8.a -10ui 10uh.a -10ur 10uq.a -10v0 10uz.a -10v9 10v8.a -14k9 3oq 10vh.a -10vr 10vq.a -10w0 10vz.a
-10w9 10w8.a -10wi 10wh.a -10wr 10wq.a -10x0 10wz.a -10x9 10x8.a -10xi 10xh.a -10xr 10xq.a -14n0 3oz 10xz.a -10y9
10y8.a -10yi 10yh.a -10yr 10yq.a -10z0 10yz.a -10z9 10z8.a -10zi 10zh.a -10zr 10zq.a -1100 10zz.a -1109 1108.a -14pr
3p8 110h.a -110r 110q.a -1110 110z.a -1119 1118.a -111i 111h.a -111r 111q.a -1120 111z.a -1129 1128.a -112i 112h.a
-112r 112q.a -14si 3ph 112z.a -1139 1138.a -113i 113h.a -113r 113q.a -1140 113z.a -1149 1148.a -114i 114h.a -114r
114q.a -1150 114z.a -1159 1158.a -14v9 3pq 115h.a -115r 115q.a -1160 115z.a -1169 1168.a -116i 116h.a -116r 116q.a
-1170 116z.a -1179 1178.a -117i 117h.a -117r 117q.a -14y0 3pz 117z.a -1189 1188.a -118i 118h.a -118r 118q.a -1190
118z.a -1199 1198.a -119i 119h.a -119r 119q.a -11a0 119z.a -11a9 11a8.a -150r 3q8 11ah.a -11ar 11aq.a -11b0 11az.a
-11b9 11b8.a -11bi 11bh.a -11br 11bq.a -11c0 11bz.a -11c9 11c8.a -11ci 11ch.a -11cr 11cq.a -153i 3qh 11cz.a -11d9
11d8.a -11di 11dh.a -11dr 11dq.a -11e0 11dz.a -11e9 11e8.a -11ei 11eh.a -11er 11eq.a -11f0 11ez.a -11f9 11f8.a -1569
3qq 11fh.a -11fr 11fq.a -11g0 11fz.a -11g9 11g8.a -11gi 11gh.a -11gr 11gq.a -11h0 11gz.a -11h9 11h8.a -11hi 11hh.a
-11hr 11hq.a -1590 3qz 11hz.a -11i9 11i8.a -11ii 11ih.a -11ir 11iq.a -11j0 11iz.a -11j9 11j8.a -11ji 11jh.a -11jr
11jq.a -11k0 11jz.a -11k9 11k8.a -15br 3r8 11kh.a -11kr 11kq.a -11l0 11kz.a -11l9 11l8.a -11li 11lh.a -11lr 11lq.a
-11m0 11lz.a -11m9 11m8.a -11mi 11mh.a -11mr 11mq.a -15ei 3rh 11mz.a -11n9 11n8.a -11ni 11nh.a -11nr 11nq.a -11o0
11nz.a -11o9 11o8.a -11oi 11oh.a -11or 11oq.a -11p0 11oz.a -11p9 11p8.a -15h9 3rq 11ph.a -11pr 11pq.a -11q0 11pz.a
-11q9 11q8.a -11qi 11qh.a -11qr 11qq.a -11r0 11qz.a -11r9 11r8.a -11ri 11rh.a -11rr 11rq.a -15k0 3rz 11rz.a -11s9
11s8.a -11si 11sh.a -11sr 11sq.a -11t0 11sz.a -11t9 11t8.a -11ti 11th.a -11tr 11tq.a -11u0 11tz.a -11u9 11u8.a -15mr
3s8 11uh.a -11ur 11uq.a -11v0 11uz.a -11v9 11v8.a -11vi 11vh.a -11vr 11vq.a -11w0 11vz.a -11w9 11w8.a -11wi 11wh.a
-11wr 11wq.a -15pi 3sh 11wz.a -11x9 11x8.a -11xi 11xh.a -11xr 11xq.a -11y0 11xz.a -11y9 11y8.a -11yi 11yh.a -11yr
11yq.a -11z0 11yz.a -11z9 11z8.a -15s9 3sq 11zh.a -11zr 11zq.a -1200 11zz.a -1209 1208.a -120i 120h.a -120r 120q.a
-1210 120z.a -1219 1218.a -121i 121h.a -121r 121q.a -15v0 3sz 121z.a -1229 1228.a -122i 122h.a -122r 122q.a -1230
122z.a -1239 1238.a -123i 123h.a -123r 123q.a -1240 123z.a -1249 1248.a -15xr 3t8 124h.a -124r 124q.a -1250 124z.a
-1259 1258.a -125i 125h.a -125r 125q.a -1260 125z.a -1269 1268.a -126i 126h.a -126r 126q.a -160i 3th 126z.a -1279
1278.a -127i 127h.a -127r 127q.a -1280 127z.a -1289 1288.a -128i 128h.a -128r 128q.a -1290 128z.a -1299 1298.a -1639
3tq 129h.a -129r 129q.a -12a0 129z.a -12a9 12a8.a -12ai 12ah.a -12ar 12aq.a -12b0 12az.a -12b9 12b8.a -12bi 12bh.a
-12br 12bq.a -1660 3tz 12bz.4 -12c3 12ce.4 -12ci 12ch.a -12cr 12cq.9 -12cz 12d2.7 -12d9 12d8.a -12di 12dh.a -12dr
12dq.a -12e0 12dz.a -12e9 12e8.2 -168j 3u8.a -3ui 3uh.a -3ur 3uq.a -3v0 3uz.a -3v9 3v8.a -3vi 3vh.a -3vr 3vq.a -3w0
3vz.a -3w9 3w8.a -3wi 3wh.a -3wr 3wq.a -3x0 3wz.a -3x9 3x8.a -3xi 3xh.a -3xr 3xq.a -3y0 3xz.a -3y9 3y8.a -3yi 3yh.a
-3yr 3yq.a -3z0 3yz.a -3z9 3z8.a -3zi 3zh 2.7 -3zr 3zq.a -400 400.9 -409 408.a -40i 40h.7 -40o 40s.8 -410 40z.a -419
418.a -41i 41h.a -41r 41q.a -420 41z.a -429 428.a -42i 42h.7 -42o 42q.a -430 42z 7.2 -439 438.a -43i 43h.8 -43p 43z
-440 43z.a -449 448.a -44i.2 44s.8 -450 44z.a -459 458.2 -45a 45l.6 -45r 45q.7 1.2 -460 45z 1.2 -463 46e.4 -46i 46h.a
-46r 46q.a -470 46z.a -479 478.a -47i 47h.8 -47p 47q.a -480 47z.9 -488.2 48k 4 -48q 48s.8 -490 48z.2 -491.4 49z.a -4a9
4ae.4 -4ai 4ah.a -4ar 4aq.a -4b0 4az.a -4b9 4b8.a -4bi 4bh.a -4br 4bq.a -4c0 4bz.a -4c9 4c8.a -4ci 4ch.5 -4cm 4cs.8
-4d0 4cz.a -4d9 4d8.a -4di 4dh.a -4dr 4dq.5 -4dv 4dz.a -4e9 4e8.a -4ei 4eh.a -4er 4eq.a -4f0 4ez.a -4f9 4f8.5 189l.6
-189r 189q.a -18a0 189z.a -18a9 18a8.a -18ai 18ah.a -18ar 18aq.a -1cqi 4fh 18az.a -18b9 18b8.a -18bi 18bh.a -18br
18bq.a -18c0 18bz.a -18c9 18c8.a -18ci 18ch.a -18cr 18cq.a -18d0 18cz.a -18d9 18d8.a -1ct9 1ct8.2s -1cw0 4fz 18fz.a
-18g9 18g8.a -18gi 18gh.a -18gr 18gq.a -18h0 18gz.a -18h9 18h8.a -18hi 18hh.a -18hr 18hq.a -18i0 18hz.a -18i9 18i8.a
-1cyr 4g8 18ih.a -18ir 18is.8 -18j0 18iz.a -18j9 18j8.a -18ji 18jh.a -18jr 18jq.a -18k0 18jz.a -18k9 18k8.a -18ki
18kh.a -18kr 18kq.a -1d1i 4gh 18kz.a -18l9 18l8.8 -18lg.4 18me.4 -18mi 18mh.3 -18mk 18mv.5 -18n0 18n4.5 -18n9 18n8.7
1.2 -1d49 4gq 18nh.b 1.5 1 -18nz 18nz.2 1.2 1.4 -18o9 18o8.a -18oi 18oh.a -18or 18oq.a -18p0 18oz.a -18p9 18p8.a -18pi
18ph.a -18pr 18pq.a -1d70 4gz 18pz.a -18q9 18q8.a -18qi 18qh.a -18qr 18qq.4 x.d -18s0 18rz.a -18s9 18s8.a -1d9r 4h8
18sh.a -18sr 18sq.a -18t0 18sz.a -18t9 18t8.a -18ti 18th.a -18tr 18tq.a -18u0 18tz.14 -1dci 1dch.2s -1df9 4hq 18xh.a
-18xr 18xq.a -18y0 18xz.a -18y9 18y8.a -18yi 18yh.a -18yr 18yq.a -18z0 18yz.a -18z9 18z8.a -18zi 18zh.a -18zr 18zq.a
-1di0 4hz 18zz.a -1909 1908.a -190i 190h.a -190r.2 1917.2 -1919 1918.a -191i 191h.a -191r 191q.a -1920 191z.a -1929
1928.a -1dkr 4i8 192h.a -192r 192q.2 2.6 -1930 192z.a -1939 1938.a -193i 193h.a -193r 193q.a -1940 193z.8 -1947.3 -4yr
g8 4ih 1957.2 -1959 1958.a -195i.8 -4ir 4is.2 198e.4 -198i 198h 1.8 -198r 198q.a -1990 198z.14 -1dt0 1dsz.25 -19bx.2
19ce.4 -1dvr 4j8 19ch.6 -19cn 19ct.7 -19d0 19cz.a -19d9 19d8.9 -19dh 19dm.5 -19dr 19dq.a -19e0 19dz.a -19e9 19e8 -19e9
19ej.8 -19er 19eq.a -1dyi 4jh 19ez.a -19f9 19f8.a -19fi 19fh.a -19fr 19fq.a -19g0 19fz.a -19g9 19g8.a -19gi 19gh.a
-19gr 19gq 3.6 -19h0 19h1.6 -19h7 19h8.6 2.2 -1e19 4jq 19hh -19hi.3 19ie.4 -19ii 19ih.8 1 -19ir 19iq.a -19j0 19iz.a
-19j9 19j8.5 1.4 -19ji 19jh.a -19jr 19jq.5 1.2 1 -1e40 4jz 19jz.a -19k9 19k8.4 2.4 -19ki 19kh.a -19kr.4 19ll.6 -19lr
19lq.a -19m0 19lz.a -19m9 19m8.a -1e6r 4k8 19mh.a -19mr 19mq.1e -19o0 19nz.a -19o9 19o8.a -19oi 19oh.7 -19oo -4ki
4kh.6 19qe.4 -19qi 19qh.a -19qr 19qq.a -19r0 19qz.a -19r9 19r8.a -1ec9 4kq 19rh.9 -19rq.9 -51i gh 4kz.2 6.2 -4l9 4l8.8
19ye.o -1eki 1ekh.5 3.1d -1em2 1enc.w d.u 5.g -1eq0 1epz.r 5.u 2.10 -1esr 1esu.8 1.5 -1a6u 1a7z.a -1a89 1a88.a -1a8i
1a8h.a -1a8r 1a8q.a -1evi 4mh 1a8z.a -1a99 1a98.a -1a9i 1a9h.a -1a9r 1a9q.a -1aa0 1a9z.a -1aa9 1aa8.a -1aai 1aah.a
-1aar 1aaq.a -1ab0 1aaz.a -1ab9 1ab8.a -1ey9 4mq 1abh.a -1abr 1abq.8 -1aby 1abz.a -1ac9 1ace.4 -1aci 1ach.a -1acr
1acq.a -1ad0 1acz.a -1ad9 1ad8.2 4.4 -1adi 1adh.a -1adr 1adq.a -1f10 4mz 1adz.a -1ae9 1ae8.2 4.4 -1aei 1aeh.a -1aer
1aeq.q 8.g -1ag0 1afz.a -1ag9 1ag8.a -1f3r 4n8 1agh.a -1agr 1agq.6 -1agw 1ah7.2 -1ah9 1ah8.9 -1ahh 1ahh.a -1ahr 1ahq.5
1.4 -1ai0 1ahz.3 1.2 1.3 -1ai9 1ai8.8 1 -1aii 1aih.a -1air 1aiq.4 1.5 -1fn9 gq 4nh 1aiz.2 1.2 -1aj4.7 1aks.8 -1al0
1akz.a -1al9 1al8.a -1f99 4nq 1alh.a -1alr 1alq.a -1am0 1alz.a -1am9 1am8.a -1ami 1amh.a -1amr 1amq.a -1an0 1amz.a
-1an9 1an8.a -1ani 1anh.a -1anr 1anq.a -1fc0 4nz 1anz.a -1ao9 1ao8.a -1aoi 1aoh.a -1aor 1aoq.a -1ap0 1aoz.a -1ap9
1ap8.a -1api 1aph.a -1apr 1apq.a -1aq0 1apz.a -1aq9 1aq8.a -1fer 4o8 1aqh.a -1aqr 1aqq.a -1ar0 1aqz.a -1ar9 1ar8.a
-1ari 1arh.a -1arr 1arq.a -1as0 1arz.a -1as9 1as8.a -1asi 1ash.3 -1ask 1ass.8 -1fhi 4oh 1asz.a -1at9 1at8.4 -1atc
1atl.6 -1atr 1atq.2 -1ats.2 1aue.4 -1aui 1auh.2 1.7 -1aur 1auq.a -1av0 1auz.a -1av9 1av8.a -1fk9 4oq 1avh.5 1.9
-1avu.6 1axl.6 -1axr 1axs 1.6 -1fn0 4oz 1axz.a -1ay9 1ay8.a -1ayi 1ayh.a -1ayr 1ayq.8 1 -1az0 1ayz 3 2.3 -1az9 1az8.a
-1azi 1azh.a -1azr.2 1azz.a -1b09 1b08.a -1fpr 4p8 1b0h.3 -1b0k 1b0s.8 -1b10 1b0z.n -1fqx 1fsp.j 1.2 -1b3q 1b3z.a
-1b49 1b48.a -1b4i 1b4h.2 -1b4j 1b4s.8 -1b50 1b4z.a -1b59 1b58.8 -1fv7 4pq.4 1b7a.w -1gf0 gz 4pz 1b7z.a -1b89 1b88.a
-1b8i 1b8h.4 -1b8l 1b8q.2 -1b8s.6 1bae.4 -1g0r 1g0r.2 5.8 1.3 1.t 16.8 -1g3i 1g3h.l 3.6 -1bdr 1bdq.n z.8 1.3 -1g69
1g68.p r.1c -1g90 1g8z.6 a.m a.j -1bjo.2 1bjz.i -1gbp.2 4rh 1bn7.2 -1bn9 1bn8.a -1bni 1bnh.1p -1ggq 1gi8.1f -1gjn
1gjz.1f d.10 -1gmr 1gmq.4 8.a -1h4l h8.2 4ss.8 -4t0 4sz.5 1c37.2 -1c39 1c38.a -1c3i 1c3h.a -1c3r 1c3q.a -1c40 1c3z.a
-1c49 1c49.2 3.2 -1gxp 4t8.8 1c6e.4 -1c6i 1c6h.a -1c6r 1c6q.a -1h0i 4th 1c6z.5 -1c74 1c7d -1c7e 1c7l.6 -1c7r 1c7q.a
-1c80 1c7z.6 -1c85.4 1c97.2 -1c99 1c98.a -1h39 4tq 1c9h.6 -1c9n.5 1cas.8 -1cb0 1caz.a -1cb9 1cb8.3 -1cbb.2 -4u0 4tz
1cbz.a -1cc9 1cc8.a -1cci 1cch.3 -1cck 1ccs.i -1cd9 1cd8.a -1cdi 1cdh.a -1cdr 1cdq.a -1ce0 1cdz.a -1ce9 1ce8.a -1h8r
4u8 1ceh.2 -1cej.3 1cfc.6 -1cfi 1cfh.4 1.5 -1cfr.2 1cg1.8 -1cg9 1cg8.a -1cgi 1cgh.a -1cgr 1cgq.a -1hbi 1hbh.a -1ch9
1ch8.7 -1chf 1chn -1cho.2 1chz.a -1ci9 1ci8.a -1cii 1cih.5 -1cim 1cis.8 -1cj0 1ciz.2 6.c -1he9 1he8.k -1ck0 1cjz.a
-1ck9 1ck8.9 -1ckh 1ckj.8 -1ckr 1ckq.2 4.4 -1cl0 1cl7.2 -1cl9 1cl8.a -1cli 1clh.a -1clr 1clq.a -1hyi hh 4uz 1clz.3 3
-1cm6 1cme.1s 1.4 9.6 -1hjr 1hjq.7 1 z.i 1.y 2 -1hmi 1hmn 1t.7 1 1.4 1.d -1hp9 1hp8.2 1.a 7.1l 7.a -1hru 4vz 1cvz.4
1.5 -1cw9 1cw8.3 2.2 2 -1cwi 1cwh.a -1cwr 1cwq.a -1cx0 1cwz 1.7 -1cx8 1cx8.2 1.5 -1cxg 1cxi.8 -1cxq 1cxr.2 2.2 -1cxx
1cxz 6 -1cy7 1cyb.7 -1hur 4w8.g 1d2e.4 -1d2i 1d2h.a -1d2r 1d2q.a -1d30 1d2z.a -1d39 1d38.a -1d3i 1d3h.a -1d3r 1d3q.a
-1d40 1d3z.2 1.3 1.3 -1d49 1d48 5.4 -1d4i 1d4h.6 -1d4n 1d4r.3 -1d4u.3 1d5l.6 -1d5r 1d5q.a -1d60 1d5z.a -1d69 1d68.u
-1d70 1d6z.a -1d79 1d7a.2 1 -1d7e 1d7l.6 -1d7r 1d7q.4 -1d7u.c -5f9 hq 4xh.5 1dbz.a -1dc9 1dc8.a -1dci 1dch.a -1dcr
1dcq.a -1dd0 1dcz.a -1dd9 1dd8.4 2.4 -1ib9 4xq 1ddh.3 -1ddk.2 1de7.2 -1de9 1de8.4 -1dec.3 1df7.2 -1df9 1df8.a -1dfi
1dfh.a -1dfr 1dfq.a -1ie0 4xz 1dfz.a -1dg9 1dg8.a -1dgi 1dgh.a -1dgr 1dgq 1 3 -1dgx 1dh7.2 -1dh9 1dh8.8 -1dhg.4 1die.4
-1igr 4y8 1dih.a -1dir 1diq.a -1dj0 1diz.a -1dj9 1dj8.a -1dji 1djh.a -1djr 1djs -1djt 1djz.a -1dk9.3 -4yi 4yh.2 1dlm.6
-1dlr 1dlq.a -1dm0 1dlz.a -1dm9 1dm8 2.7 -1dmi 1dmh.7 -1dmo 1dms.8 -1dn0 1dmz.2 6.2 -1dn9 1dn8.5 -1im4 4yq.4 -4yu 4z7
1drz.a -1ds9 1ds8.a -1irr 4z8 1dsh.a -1dsr 1dsq.a -1dt0 1dsz.a -1dt9 1dt8.7 -1dtf.6 -4zi 4zh.5 1dvz.a -1dw9 1dw8.a
-1dwi 1dwh.a -1dwr 1dwq.a -1dx0 1dwz.a -1dx9 1dx8.a -1ix9 4zq 1dxh.a -1dxr 1dxq.4 -1dxu.2 1dyd.5 -1dyi 1dyh.3 2 2.2
-1dyr 1dyq.6 1.2 -1dyz 1dyz.a -1dz9 1dz8.a -1dzi 1dzh.a -1dzr 1dzr.2 2.2 2 -1ji0 hz 4zz 1dzz.3 -1e02 1e0e.4 -1e0i
1e0h.6 -1e0n.7 1e2e.4 -1j2r 508 1e2h.4 2.4 -1e2r 1e2q.a -1e30 1e2z.a -1e39 1e38.a -1e3i 1e3h.a -1e3r 1e3q.2 2.6 -1e40
1e40 1.2 -1e44.3 1e4s.8 -1e50 1e4z.a -1e59 1e58.a -1e5i 1e5h.n 2.a h.1c -1e80 1e7z.a -1e89 1e88.a -1e8i 1e8h.4 5
-1e8r.2 1e97.2 -1e99 1e98.a -1e9i 1e9h.a -1e9r 1e9q.a -1ea0 1e9z.a -1ea9 1ea8.v -1eb0.q 1ehl.6 -1ehr 1ehq.3 1.6 -1ei0
1ehz.a -1ei9 1ei8.a -1eii 1eih.a -1eir 1eiq.9 -1eiz 1eiz.7 1 -1ej8.2 1ejl.6 -1ejr 1ejq.4 -1eju.2 1ekg.2 -1eki 1ekh.a
-1ekr 1ekq.a -1el0 1ekz.8 -1el7 1el8.a -1eli 1elh.a -1elr 1elq.2 1.7 -1em0 1elz.7 -1em6.5 2 1enz.7 1.2 -1eo9 1eo9.9
-1eoi 1eoh.a -1eor 1eoq.a -1k9r 5kq 1eoz.a -1ep9 1ep8.5 3 -1eph 1eph.2 1.3 1 -1epp 1epq.2 -1eps 1epz.a 6.6 1.2 1.11
1.2 1.4 1 -1ert 1erz.a -1es9.w 1ezz.a -1f09 1f08.a -1f0i 1f0h.3 -1f0k.8 2.3 -540 1k9b -1k9c 1kbi.20 -1kdi 1kdh.2s
-1kg9 1kg8.2s -1l1i ih 1kiz.a -1fe9 1fe8.a -1fei 1feh.a -1fer 1feq.a -1ff0 1fez.k -1ffi 1ffh.a -1ffr 1ffq.a -1fg0
1ffz.a -1fg9 1fg8.a -1fgi 1fgh.a -1fgr 1fgq.k -1fh9 1fh8.a -1fhi 1fhh.14 -1fii 1fih.1o -1fk0 1fjz.a -1fk9 1fk8.a -1fki
1fkh.a -1fkr 1fkq.a -1fl0 1fkz.a -1fl9 1fl8.a -1fli 1flh.a -1flr 1flq.a -1fm0 1flz.a -1fm9 1fm8.a -1fmi 1fmh.a -1fmr
1fmq.a -1fn0 1fmz.a -1fn9 1fn8.a -1fni 1fnh.a -1fnr 1fnq.a -1fo0 1fnz.a -1fo9 1fo8.a -1foi 1foh.a -1for 1foq.a -1fp0
1foz.a -1fp9 1fp8.a -1fpi 1fph.a -1fpr 1fpq.a -1fq0 1fpz.a -1fq9 1fq8.a -1fqi 1fqh.a -1fqr 1fqq.a -1fr0 1fqz.a -1fr9
1fr8.a -1fri 1frh.a -1frr 1frq.a -1fs0 1frz.a -1fs9 1fs8.a -1fsi 1fsh.a -1fsr 1fsq.a -1ft0 1fsz.a -1ft9 1ft8.a -1fti
1fth.a -1ftr 1ftq.a -1fu0 1ftz.a -1fu9.b 1fws.8 -1fx0 1fwz.a -1fx9 1fx8.a -1fxi 1fxh.a -1fxr 1fxq.a -1l50 56z 1fxz.a
-1fy9 1fy8.a -1fyi 1fyh.a -1fyr 1fyq.a -1fz0 1fyz.a -1fz9 1fz8.a -1fzi 1fzh.3 -1fzk.2 1fzz.a -1g09 1g08.a -1g0i 1g0h.a
-1g0r 1g0q.a -1g10 1g0z.a -1g19 1g18.a -1g1i 1g1h.a -1g1r 1g1q.a -1g20 1g1z.a -1g29 1g28.a -1g2i 1g2h.a -1g2r 1g2q.a
-1lt9 iq 57h 1g2z.a -1g39 1g38.a -1g3i 1g3h.a -1g3r 1g3q.a -1g40 1g3z.a -1g49 1g48.a -1g4i 1g4h.a -1g4r 1g4q.6
-1g4w.2k -5t0 5sz.g 13.e b.k -5vr 5vq.20 1hys.8 -1hz0 1hyz.a -1hz9 1hz8.a -1hzi 1hzh.a -1hzr 1hzq.a -1i00 1hzz.a -1i09
1i08.a -1i0i 1i0h.a -1i0r 1i0q.a -1i10 1i0z.9 -1i18.2 1i1l.6 -1i1r 1i1q.a -1i20 1i1z.a -1i29 1i28.a -1i2i 1i2h.a -1i2r
1i2q.a -1i30 1i2z.a -1i39 1i38.a -1i3i 1i3h.a -1i3r 1i3q.a -1i40 1i3z.a -1i49 1i48.a -1i4i 1i4h.a -1i4r 1i4q.a -1i50
1i4z.a -1i59 1i58.a -1i5i 1i5h.a -1i5r 1i5q.a -1o4i 5yh 1i5z.a -1i69 1i68.a -1i6i 1i6h.a -1i6r 1i6q.a -1i70 1i6z.a
-1i79 1i78.a -1i7i 1i7h.a -1i7r 1i7q.a -1i80 1i7z.a -1i89 1i88.a -1i8i 1i8h.a -1i8r 1i8q.a -1i90 1i8z.a -1i99 1i98.a
-1i9i 1i9h.a -1i9r 1i9q.a -1ia0 1i9z.a -1ia9 1ia8.a -1iai 1iah.a -1iar 1iaq.a -1ib0 1iaz.a -1ib9 1ib8.a -1ibi 1ibh.a
-1ibr 1ibq.a -1ic0 1ibz.a -1ic9 1ic8.a -1ici 1ich.a -1icr 1icq.a -1id0 1icz.a -1id9 1id8.a -1idi 1idh.a -1idr 1idq.a
-1ie0 1idz.a -1ie9 1ie8.a -1iei 1ieh.a -1ier 1ieq.a -1if0 1iez.a -1if9 1if8.a -1ifi 1ifh.a -1ifr 1ifq.a -1ig0 1ifz.a
-1ig9 1ig8.a -1igi 1igh.a -1igr 1igq.a -1ih0 1igz.a -1ih9 1ih8.a -1ihi 1ihh.a -1ihr 1ihq.a -1ii0 1ihz.a -1ii9 1ii8.a
-1iii 1iih.a -1iir 1iiq.a -1ij0 1iiz.a -1ij9 1ij8.a -1iji 1ijh.a -1ijr 1ijq.a -1ik0 1ijz.a -1ik9 1ik8.a -1iki 1ikh.a
-1ikr 1ikq.a -1il0 1ikz.a -1il9 1il8.a -1ili 1ilh.a -1ilr 1ilq.a -1im0 1ilz.a -1im9 1im8.a -1imi 1imh.a -1imr 1imq.a
-1in0 1imz.a -1in9 1in8.a -1ini 1inh.a -1inr 1inq.a -1io0 1inz.a -1io9 1io8.a -1ioi 1ioh.a -1ior 1ioq.a -1ip0 1ioz.a
-1ip9 1ip8.a -1ipi 1iph.a -1ipr 1ipq.a -1iq0 1ipz.a -1iq9 1iq8.a -1iqi 1iqh.a -1iqr 1iqq.a -1ir0 1iqz.a -1ir9 1ir8.a
-1iri 1irh.a -1irr 1irq.a -1is0 1irz.a -1is9 1is8.5 -1isd.a -619 618.1m 2.6 2.w -640 63z.6 2.6 2.8 1 1 1 1.v 2.10 -66r
66q.h 1.7 1 3.3 1.7 3.4 2.6 4.d 5.3 1.7 -697 1rxp.1k -1rz9 1rz8.1e -1lo9 1lo8.3w -1lrr 1lrq.4q -1lw0 1lvz.a -1lw9
1lw8.a -1lwi 1lwh.a -1lwr 1lwq.a -1lx0 1lwz.a -1lx9 1lx8.a -1lxi 1lxh.a -1lxr 1lxq.a -1ly0 1lxz.a -1ly9 1ly8.a -1lyi
1lyh.a -1lyr 1lyq.a -1lz0 1lyz.1b -1rsy -ky 6gd 4 2.a 1 3.5 6 1 1 1.4 1.5 -6hr 6hq.6 2.4 5.5 4 h.15 -6k3.3 lz.5 1.2
-m7 m8.4 1 -me mj 1.3 1 1.c 1yee.14 -1yfi 1yfh.2s -1yi9 1yi8.2s -1yl0 1ykz.2s -1ynr 1ynq.2s -1yqi 1yqh.2s -1yt9 1yt8.t
7.v 1.a 6.g -1yw0 1yvz.1r 1.a 6.k -1yyr 1yyq.a i.1c g.4 c.a 9.l 5.j -1z3h.7 1zme.14 -1zni 1znh.o -1zo5 1zro.s -1t9i
1t9h.a -1t9r 1t9q.a -1zt0 6iz 1t9z.a -1ta9 1ta8.a -1tai 1tah.7 -1tao 1tar.9 -1tb0 1taz.a -1tb9 1tb8.a -1tbi 1tbh.a
-1tbr 1tbq.a -1tc0 1tbz.8 -1tc7 1tcd.5 -1zvr 6j8 1tch.a -1tcr 1tcq.2 -1tcs.6 1tee.2 1 -1tei.2 1tes.2 -1zyc 6jh 1tf7.2
-1tf9 1tf8.a -1tfi 1tfh.a -1tfr 1tfq.a -1tg0 1tfz.a -1tg9 1tg8.a -1tgi 1tgh.a -1tgr 1tgq.a -1th0 1tgz.a -1th9 1th8.a
-2019 6jq 1thh.a -1thr 1thq.a -1ti0 1thz.a -1ti9 1ti8.a -1tii 1tih.a -1tir 1tiq.a -1tj0 1tiz.a -1tj9 1tj8.a -1tji
1tjh.a -1tjr 1tjq.a -2040 6jz 1tjz.a -1tk9 1tk8.a -1tki 1tkh.a -1tkr 1tkq.a -1tl0 1tkz.a -1tl9 1tl8.a -1tli 1tlh.a
-1tlr 1tlq.a -1tm0 1tlz.a -1tm9 1tm8.a -206r 206q.2s -209i 209h.2s -20c9 20c8.2s -20f0 20ez.2s -20hr 20hq.2s -20ki
20kh.2s -20n9 20n8.2s -20q0 20pz.2s -20sr 20sq.2s -20vi 20vh.2s -20y9 20y8.2s -2110 210z.2s -213r 213q.2s -216i
216h.2s -2199 2198.2s -21c0 21bz.2s -21er 21eq.2s -21hi 21hh.2s -21k9 21k8.2s -21n0 21mz.2s -21pr 21pq.2s -21si
21sh.2s -21v9 21v8.2s -21y0 21xz.2s -220r 220q.2s -22rr o8 223h.2s -2269 2268.2s -2290 228z.2s -22br 22bq.2s -22ei
22eh.2s -22h9 22h8.2s -22k0 22jz.2s -22mr 22mq.2s -22pi 22ph.2s -22s9 22s8.2s -23ji oh 22uz.2s -22xr 22xq.2s -230i
230h.2s -2339 2338.2s -2360 235z.2s -238r 238q.2s -23bi 23bh.2s -23e9 23e8.2s -23h0 23gz.2s -23jr 23jq.2s -24b9 oq
23mh.2s -23p9 23p8.2s -23s0 23rz.2s -23ur 23uq.2s -23xi 23xh.2s -2409 2408.2s -2430 242z.2s -245r 245q.2s -248i
248h.2s -24b9 24b8.2s
"""

UPPER = """
rs 1 1 1 5 2 1.2 2.1f 1c 1 1 1 7tl.g -7u0 7tz.k -7ui 7uh.c -7us 1 1 7vz 1.3 2 1 1 1.4 1 -7wh 7wi 8.3 1 1 1 -7wz 7wz 1
1 1 1 1 1 1 1 1 -7xh 7xh 1 1 1 1 1 1 1 1 1 -7xz 7xz 1 1 1 1 1 1 1 1 1 -7yh 7yh 1 1 1 1 1 1 1 1 1 -7yz 7yz 1 1 1 1 1 8
-7zi 7zi 4 -7zn 9 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 2jip.q q.q q.q q 1.2 2 2.2 2.4 1.8 -2jnq 2jof.q q.2 1.4 2.8 1.7
r.2 1.4 1.5 1 3.7 r.q -2jtg 2ju5.q q.q q.q q.k -2jz0 2jyz.6 q.q u.p x.p -2k3p 2k4l.p x.p x.p x -2k9f 1 1 1 1.2 1 1 1 1
1 1 2 1 1 1 1 1 1 1 1 1 2nml.g -2nn0 2nmz.i -2nng 1 1 1 1 1 1 1 1 1 2p87.q 6.q 6.q -2pao 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1
1 1 1 1 1 1 1 1 1 1 1 2.12 -wn.n 1.7 x 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 2 1 1 1 1 1 1 1 2 1 1 1 1
1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1.2 1 1 3.2 1 1.2 1.3 2.4 1.2 1.3 3.2 1.2 1 1 1.2 1 2ye tjz 1 1 1 1 -tk8 tk8 1 1 1
1 -tkh tkh 1 1 1 1 -tkq tkq 1 1 1 1 -tkz tkz 1 1 -tl4.2 tll 1 1 -tlq tlq 1 1 1 1 -tlz tlz 1 1 1 1 -tm8 tm8 -tm9.d tpn
1 -tpq tpq 1 1 1 1 -woz 2yz tq1 1 1 1 -tq8 tq8 1 1 1 1 -tqh tqh 1 1 1 1 -tqq tqq 1 1 1 1 -tqz tqz 1 1 1 1 -tr8 tr8 1 1
1 1 -trh trh 1 -trk trt 1 1.2 -trz trz 1 1 1 -ts6 ts9 1 2 1 -tsh tsj 1 1 1 -tsq tsq 1 1 1 1 -tsz tsz 1.5 1.2 -tt9
tt8.3 1 1 1 1 1 1 1 1.2 -ttr ttq.2 1 6 5 1 s -wug 2zi -2zj 1.3 1 1.2 3 7.2 1.2 1.2 1 1 1 1 1 1 1 1 2 1 1 1 1 1 1 1 1
2.2 1 1 3hl.6 -3hr 3hq.a -3i0 3hz.k -3ii 3ih.k -3j0 3iz.k -3ji 3jh.a -3jq 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1
1 1 1 7.2 1.2 2 1.4 1 1 1 1 -em 1ecf.q -1ed5 1fb1.14 3s.10 4c.b 1.f 1.7 1.2 -1fmb.2 1gzf.1f -1h0u.3 1jdk.w -1jeg.2
5l2.17 2.3 -5me.3 5v7 1 1 1 1 1 1 1 1 1 -5vq 5vq 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1
1 1 1 1 1 1 1 1 1 1 1 1 1 1 -5yh 5yh 1 1 1 1 1 1 1 1 1 1 1 1 1 1 9 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1
1 1 1 1 -618 618 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 9.8 8.6 a.8 8.8 -640 647.6 b 1 1 1 8.8 o.8 8.8 -66n 66u.8 8.5 b.5
b.4 c.5 b.5 -697.3 6gd 4 3.3 2.3 2 3.5 6 1 1 1.4 2.4 -6hr 6i0.2 5 q.g j -6jy.3 lz 1 3 -m6 md -me mj 1.3 1 1.2 1.h 1.7
1zme.w -1zna.2 6iy.q -6ip 2.3 3 1 1 1 1 1 1 1
"""

LOWER = """
2s p0 1 1 1.3 -p9 p8.2 1 2 2 -pi ph -pi.5 qs.8 -r0 qz.a -r9 r8.a -ri rh.a -rr rq.a -s0 s0 1 1 1 1 -s9 s9 7us.i -7v9
7v8.k -7vr 7vq.a 1 3.2 1 -7w8 7w8 1 4 1.2 1.8 -7wr 7wt 1 1 1 -8pi 8pi 1 1 1 1 -7x9 7x9 1 1 1 1 1 1 1 1 1 -7xr 7xr 1 1
1 1 1 1 1 1 1 -7y9 7y9 1 1 1 1 1 1 1 1 1 -7yr 7yr 1 1 1 1 1 1 1 1 1 -7z9 7z9.2 -8s2 8s8 1 4 -7zp 800.a -809 808.s 1 5
-8u2 t2 1 1 1 -t9 t9 1 1 1 1 -ti ti 1 1 1 1 -tr tr 1 1 1 2jjg.q q.7 1.6 -2jl9 2jl8.c q.q q.4 1 1.3 -2ki0 2khz.4 1.b
q.q q.6 -2jqr 2jqq.k q.q q.q q.q -2jvl 2jwa.q q.q q.q q.s -2k1d 2k24.p 1.6 q.p 1.6 q.p 1.6 q.c -2k79 2k78.d 1.6 q.p
1.6 1 -2k9f -u9 u9 1 1 2 -uh uh 1 1 1 2lo5.a 1.k -2loz 1.2 1 1 1 1 1 1 1 1 1 1 2nni.y -2nof 1 1 1 1 1 1 1 1 1 1 1 1 1
1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1c.15 -yn a 4 10.o 1.8 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1
1 1 1 1.2 1 1 1 1 1 1 1 1.2 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 2 1 1.3 2 1 2 3.2 4 2 3.3 2 2 1 1 2 wig 1 1
1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 -wji wji 1 1 j 1 1 1 1 1 1 1 1 1 1 1 1 1.3 -wkz won 1 1 1 1 1 1.3 1 1 1 1 1 1 1 1 1
1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1.a 1 1 2 1 1 1 1 4 1 2 1 -wrr wrq.2 1 1 1 1 1 1 1 1 1 1 5 5 1 1 1 1 1 1 1 4
1 6 1 1 1 1 s 1.3 -tuz.g -300 2zz.r 2.3 -30s 1 xh5.17 1.d 7.28 -xl3.2 2.3 5.2 1.2 1.2 1 1 1 1 1 1 1 1.2 1 1 1 1 1 1 1
1 1.2 1.2 1 3 1 1 1 3js.6 -3jx 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1.7 2 2.2 1 4 1 1 1 1.1g 1d31.7 c.5
-1d3p.b 1dwz.q -1dxp.6 1.6 1evh.14 -1ewl 1f0c.o -1f10 1f0z.c -1f1b 1f5l.b 1.f 1.5 -1f6i 1f6h.2 1.2 -1f6m.4 1fj1 2.3
1.11 -1fk9 1fk8.5 1.9 -1fkn.d 1gjz.1f -1gle.8 7.2 1iwu.w -1duo.9 -52h.5 55n.5c 1t 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1
1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1.9 1 1
1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1.9 8.6 a.8 8.8 8.6 a.8
8.8 8.e 2.8 8.8 8.8 8.5 1.2 6 3.3 1.2 8.4 2.2 8.8 a.3 1.2 3d d g.d -5so 5vo 3.2 3 r 4 4 2.2 8.4 4 x.g 4 -5xw 1 3 2.4 i
1znz.w -1zo4.3 6jl.6 -6jr 6jq.a -6k0 6jz.a -6k9.p -o9 o8.5 1.2 -og oi.3 1 1 1 -or or 1 1 1 1
"""

SPACE = """
a.3 9gz -9h0 i 4f3 1vj.7 1.3 t.2 1h -6dz
"""

PUNCT = """
7ps l7vz.2s -l7yr l7yq.2s -l81i l81h.2s -l849 l848.2s -l870 l86z.2s -l89r l89q.2s -l8ci l8ch.2s -l8f9 l8f8.2s -l8i0
l8hz.2s -l8kr l8kq.2s -l8ni l8nh.2s -l8q9 l8q8.2s -l8t0 l8sz.2s -l8vr l8vq.2s -l8yi l8yh.2s -l919 l918.2s -l940
l93z.2s -l96r l96q.2s -l99i l99h.2s -l9c9 l9c8.2s -l9f0 l9ez.2s -l9hr l9hq.2s -l9ki l9kh.2s -l9n9 l9n8.2s -l9q0
l9pz.2s -l9sr l9sq.2s -l9vi l9vh.2s -l9y9 l9y8.2s -la10 la0z.2s -la3r la3q.2s -la6i la6h.2s -la99 la98.2s -lac0
labz.2s -laer laeq.2s -lahi lahh.2s -lak9 lak8.2s -lan0 lamz.2s -lapr lapq.2s -lasi lash.2s -lav9 lav8.2s -lay0
laxz.2s -lb0r lb0q.2s -lb3i lb3h.2s -lb69 lb68.2s -lb90 lb8z.2s -lbbr lbbq.2s -lbei lbeh.2s -lbh9 lbh8.2s -lbk0
lbjz.2s -lbmr lbmq.2s -lbpi lbph.2s -lbs9 lbs8.2s -lbv0 lbuz.2s -lbxr lbxq.2s -lc0i lc0h.2s -lc39 lc38.2s -lc60
lc5z.2s -lc8r lc8q.2s -lcbi lcbh.2s -lce9 lce8.2s -lch0 lcgz.2s -lcjr lcjq.2s -lcmi lcmh.2s -lcp9 lcp8.2s -lcs0
lcrz.2s -lcur lcuq.2s -lcxi lcxh.2s -ld09 ld08.2s -ld30 ld2z.2s -ld5r ld5q.2s -ld8i ld8h.2s -ldb9 ldb8.2s -lde0
lddz.2s -ldgr ldgq.2s -ldji ldjh.2s -ldm9 ldm8.2s -ldp0 ldoz.2s -ldrr ldrq.2s -ldui lduh.2s -ldx9 ldx8.2s -le00
ldzz.2s -le2r le2q.2s -le5i le5h.2s -le89 le88.2s -leb0 leaz.2s -ledr ledq.2s -legi legh.2s -lej9 lej8.2s -lem0
lelz.2s -leor leoq.2s -leri lerh.2s -leu9 leu8.2s -lex0 lewz.2s -lezr lezq.2s -lf2i lf2h.2s -lf59 lf58.2s -lf80
lf7z.2s -lfar lfaq.2s -lfdi lfdh.2s -lfg9 lfg8.2s -lfj0 lfiz.2s -lflr lflq.2s -lfoi lfoh.2s -lfr9 lfr8.2s -lfu0
lftz.2s -lfwr lfwq.2s -lfzi lfzh.2s -lg29 lg28.2s -lg50 lg4z.2s -lg7r lg7q.2s -lgai lgah.2s -lgd9 lgd8.2s -lgg0
lgfz.2s -lgir lgiq.2s -lgli lglh.2s -lgo9 lgo8.2s -lgr0 lgqz.2s -lgtr lgtq.2s -lgwi lgwh.2s -lgz9 lgz8.2s -lh20
lh1z.2s -lh4r lh4q.2s -lh7i lh7h.2s -lha9 lha8.2s -lhd0 lhcz.2s -lhfr lhfq.2s -lhii lhih.2s -lhl9 lhl8.2s -lho0
lhnz.2s -lhqr lhqq.2s -lhti lhth.2s -lhw9 lhw8.2s -lhz0 lhyz.2s -li1r li1q.2s -li4i li4h.2s -li79 li78.2s -lia0
li9z.2s -licr licq.2s -lifi lifh.2s -lii9 lii8.2s -lpmi 71h likz.2s -linr linq.2s -liqi liqh.2s -lit9 lit8.2s -liw0
livz.2s -liyr liyq.2s -lj1i lj1h.2s -lj49 lj48.2s -lj70 lj6z.2s -lj9r lj9q.2s -ljci ljch.2s -ljf9 ljf8.2s -lji0
ljhz.2s -ljkr ljkq.2s -ljni ljnh.2s -ljq9 ljq8.2s -ljt0 ljsz.2s -ljvr ljvq.2s -ljyi ljyh.2s -lk19 lk18.2s -lk40
lk3z.2s -lk6r lk6q.2s -lk9i lk9h.2s -lkc9 lkc8.2s -lkf0 lkez.2s -lkhr lkhq.2s -lkki lkkh.2s -lkn9 lkn8.2s -lkq0
lkpz.2s -lksr lksq.2s -lkvi lkvh.2s -lky9 lky8.2s -ll10 ll0z.2s -ll3r ll3q.2s -ll6i ll6h.2s -ll99 ll98.2s -llc0
llbz.2s -ller lleq.2s -llhi llhh.2s -llk9 llk8.2s -lln0 llmz.2s -llpr llpq.2s -llsi llsh.2s -llv9 llv8.2s -lly0
llxz.2s -lm0r lm0q.2s -lm3i lm3h.2s -lm69 lm68.2s -lm90 lm8z.2s -lmbr lmbq.2s -lmei lmeh.2s -lmh9 lmh8.2s -lmk0
lmjz.2s -lmmr lmmq.2s -lmpi lmph.2s -lms9 lms8.2s -lmv0 lmuz.2s -lmxr lmxq.2s -ln0i ln0h.2s -ln39 ln38.2s -ln60
ln5z.2s -ln8r ln8q.2s -lnbi lnbh.2s -lne9 lne8.2s -lnh0 lngz.2s -lnjr lnjq.2s -lnmi lnmh.2s -lnp9 lnp8.2s -lns0
lnrz.2s -lnur lnuq.2s -lnxi lnxh.2s -lo09 lo08.2s -lo30 lo2z.2s -lo5r lo5q.2s -lo8i lo8h.2s -lob9 lob8.2s -loe0
lodz.2s -logr logq.2s -loji lojh.2s -lom9 lom8.2s -lop0 looz.2s -lorr lorq.2s -loui louh.2s -lox9 lox8.2s -lp00
lozz.2s -lp2r lp2q.2s -lp5i lp5h.2s -lp89 lp88.2s -lpb0 lpaz.2s -lpdr lpdq.2s -lpgi lpgh.2s -lpj9 lpj8.2s -lpm0
lplz.2s -lpor lpoq.2s -lpri lprh.2s -lpu9 lpu8.2s -lpx0 lpwz.2s -lpzr lpzq.2s -lq2i lq2h.2s -lq59 lq58.2s -lq80
lq7z.2s -lqar lqaq.2s -lqdi lqdh.2s -lqg9 lqg8.2s -lqj0 lqiz.2s -lqlr lqlq.2s -lqoi lqoh.2s -lqr9 lqr8.2s -lqu0
lqtz.2s -lqwr lqwq.2s -lqzi lqzh.2s -lr29 lr28.2s -lr50 lr4z.2s -lr7r lr7q.2s -lrai lrah.2s -lrd9 lrd8.2s -lrg0
lrfz.2s -lrir lriq.2s -lrli lrlh.2s -lro9 lro8.2s -lrr0 lrqz.2s -lrtr lrtq.2s -lrwi lrwh.2s -lrz9 lrz8.2s -ls20
ls1z.2s -ls4r ls4q.2s -ls7i ls7h.2s -lsa9 lsa8.2s -lsd0 lscz.2s -lsfr lsfq.2s -lsii lsih.2s -lsl9 lsl8.2s -lso0
lsnz.2s -lsqr lsqq.2s -lsti lsth.2s -lsw9 lsw8.2s -lsz0 lsyz.2s -lt1r lt1q.2s -lt4i lt4h.2s -lt79 lt78.2s -lta0
lt9z.2s -ltcr ltcq.2s -ltfi ltfh.2s -lti9 lti8.2s -ltl0 ltkz.2s -ltnr ltnq.2s -ltqi ltqh.2s -ltt9 ltt8.2s -ltw0
ltvz.2s -ltyr ltyq.2s -lu1i lu1h.2s -lu49 lu48.2s -lu70 lu6z.2s -lu9r lu9q.2s -luci luch.2s -luf9 luf8.2s -lui0
luhz.2s -lukr lukq.2s -luni lunh.2s -luq9 luq8.2s -lut0 lusz.2s -luvr luvq.2s -luyi luyh.2s -lv19 lv18.2s -lv40
lv3z.2s -lv6r lv6q.2s -lv9i lv9h.2s -lvc9 lvc8.2s -lvf0 lvez.2s -lvhr lvhq.2s -lvki lvkh.2s -lvn9 lvn8.2s -lvq0
lvpz.2s -lvsr lvsq.2s -lvvi lvvh.2s -lvy9 lvy8.2s -lw10 lw0z.2s -lw3r lw3q.2s -lw6i lw6h.2s -lw99 lw98.2s -lwc0
lwbz.2s -lwer lweq.2s -lwhi lwhh.2s -lwk9 lwk8.2s -lwn0 lwmz.2s -lwpr lwpq.2s -lwsi lwsh.2s -lwv9 lwv8.2s -lwy0
lwxz.2s -lx0r lx0q.2s -lx3i lx3h.2s -lx69 lx68.2s -lx90 lx8z.2s -lxbr lxbq.2s -lxei lxeh.2s -lxh9 lxh8.2s -lxk0
lxjz.2s -lxmr lxmq.2s -lxpi lxph.2s -lxs9 lxs8.2s -lxv0 lxuz.2s -lxxr lxxq.2s -ly0i ly0h.2s -ly39 ly38.2s -ly60
ly5z.2s -ly8r ly8q.2s -lybi lybh.2s -lye9 lye8.2s -lyh0 lygz.2s -lyjr lyjq.2s -lymi lymh.2s -lyp9 lyp8.2s -lys0
lyrz.2s -lyur lyuq.2s -lyxi lyxh.2s -lz09 lz08.2s -lz30 lz2z.2s -lz5r lz5q.2s -lz8i lz8h.2s -lzb9 lzb8.2s -lze0
lzdz.2s -lzgr lzgq.2s -lzji lzjh.2s -lzm9 lzm8.2s -lzp0 lzoz.2s -lzrr lzrq.2s -lzui lzuh.2s -lzx9 lzx8.2s -m000
lzzz.2s -m02r m02q.2s -m05i m05h.2s -m089 m088.2s -m0b0 m0az.2s -m0dr m0dq.2s -m0gi m0gh.2s -m0j9 m0j8.2s -m0m0
m0lz.2s -m0or m0oq.2s -m0ri m0rh.2s -m0u9 m0u8.2s -m0x0 m0wz.2s -m0zr m0zq.2s -m12i m12h.2s -m159 m158.2s -m180
m17z.2s -m1ar m1aq.2s -m1di m1dh.2s -m1g9 m1g8.2s -m1j0 m1iz.2s -m1lr m1lq.2s -m1oi m1oh.2s -m1r9 m1r8.2s -m1u0
m1tz.2s -m1wr m1wq.2s -m1zi m1zh.2s -m229 m228.2s -m250 m24z.2s -m27r m27q.2s -m2ai m2ah.2s -m2d9 m2d8.2s -m2g0
m2fz.2s -m2ir m2iq.2s -m2li m2lh.2s -m2o9 m2o8.2s -m2r0 m2qz.2s -m2tr m2tq.2s -m2wi m2wh.2s -m2z9 m2z8.2s -m320
m31z.2s -m34r m34q.2s -m37i m37h.2s -m3a9 m3a8.2s -m3d0 m3cz.2s -m3fr m3fq.2s -m3ii m3ih.2s -m3l9 m3l8.2s -m3o0
m3nz.2s -m3qr m3qq.2s -m3ti m3th.2s -m3w9 m3w8.2s -m3z0 m3yz.2s -m41r m41q.2s -m44i m44h.2s -m479 m478.2s -m4a0
m49z.2s -m4cr m4cq.2s -m4fi m4fh.2s -m4i9 m4i8.2s -m4l0 m4kz.2s -m4nr m4nq.2s -m4qi m4qh.2s -m4t9 m4t8.2s -m4w0
m4vz.2s -m4yr m4yq.2s -m51i m51h.2s -m549 m548.2s -m570 m56z.2s -m59r m59q.2s -m5ci m5ch.2s -m5f9 m5f8.2s -m5i0
m5hz.2s -m5kr m5kq.2s -m5ni m5nh.2s -m5q9 m5q8.2s -m5t0 m5sz.2s -m5vr m5vq.2s -m5yi m5yh.2s -m619 m618.2s -m640
m63z.2s -m66r m66q.2s -m69i m69h.2s -m6c9 m6c8.2s -m6f0 m6ez.2s -m6hr m6hq.2s -m6ki m6kh.2s -m6n9 m6n8.2s -m6q0
m6pz.2s -m6sr m6sq.2s -m6vi m6vh.2s -m6y9 m6y8.2s -m710 m70z.2s -m73r m73q.2s -m76i m76h.2s -m799 m798.2s -m7c0
m7bz.2s -m7er m7eq.2s -m7hi m7hh.2s -m7k9 m7k8.2s -m7n0 m7mz.2s -m7pr m7pq.2s -m7si m7sh.2s -m7v9 m7v8.2s -m7y0
m7xz.2s -m80r m80q.2s -m83i m83h.2s -m869 m868.2s -m890 m88z.2s -m8br m8bq.2s -m8ei m8eh.2s -m8h9 m8h8.2s -m8k0
m8jz.2s -m8mr m8mq.2s -m8pi m8ph.2s -m8s9 m8s8.2s -m8v0 m8uz.2s -m8xr m8xq.22 2.o -m90i m90h.2s -m939 m938.2s -m960
m95z.2s -m98r m98q.2s -m9bi m9bh.2s -m9e9 m9e8.2s -m9h0 m9gz.2s -m9jr m9jq.2s -m9mi m9mh.2s -m9p9 m9p8.2s -m9s0
m9rz.2s -m9ur m9uq.2s -m9xi m9xh.2s -ma09 ma08.2s -ma30 ma2z.2s -ma5r ma5q.2s -ma8i ma8h.2s -mab9 mab8.2s -mae0
madz.2s -magr magq.2s -maji majh.2s -mam9 mam8.2s -map0 maoz.2s -marr marq.2s -maui mauh.2s -max9 max8.2s -mb00
mazz.2s -mb2r mb2q.2s -mb5i mb5h.2s -mb89 mb88.2s -mbb0 mbaz.2s -mbdr mbdq.2s -mbgi mbgh.2s -mbj9 mbj8.2s -mbm0
mblz.2s -mbor mboq.2s -mbri mbrh.2s -mbu9 mbu8.2s -mbx0 mbwz.2s -mbzr mbzq.2s -mc2i mc2h.2s -mc59 mc58.2s -mc80
mc7z.2s -mcar mcaq.2s -mcdi mcdh.2s -mcg9 mcg8.2s -mcj0 mciz.2s -mclr mclq.2s -mcoi mcoh.2s -mcr9 mcr8.2s -mcu0
mctz.2s -mcwr mcwq.2s -mczi mczh.2s -md29 md28.2s -md50 md4z.2s -md7r md7q.2s -mdai mdah.2s -mdd9 mdd8.2s -mdg0
mdfz.2s -mdir mdiq.2s -mdli mdlh.2s -mdo9 mdo8.2s -mdr0 mdqz.2s -mdtr mdtq.2s -mdwi mdwh.2s -mdz9 mdz8.2s -me20
me1z.2s -me4r me4q.2s -me7i me7h.2s -mea9 mea8.2s -med0 mecz.2s -mefr mefq.2s -meii meih.2s -mel9 mel8.2s -meo0
menz.2s -meqr meqq.2s -meti meth.2s -mew9 mew8.2s -mez0 meyz.2s -mf1r mf1q.2s -mf4i mf4h.2s -mf79 mf78.2s -mfa0
mf9z.2s -mfcr mfcq.2s -mffi mffh.2s -mfi9 mfi8.2s -mfl0 mfkz.2s -mfnr mfnq.2s -mfqi mfqh.2s -mft9 mft8.2s -mfw0
mfvz.2s -mfyr mfyq.2s -mg1i mg1h.2s -mg49 mg48.2s -mg70 mg6z.2s -mg9r mg9q.2s -mgci mgch.2s -mgf9 mgf8.2s -mgi0
mghz.2s -mgkr mgkq.2s -mgni mgnh.2s -mgq9 mgq8.2s -mgt0 mgsz.2s -mgvr mgvq.2s -mgyi mgyh.2s -mh19 mh18.2s -mh40
mh3z.2s -mh6r mh6q.2s -mh9i mh9h.2s -mhc9 mhc8.2s -mhf0 mhez.2s -mhhr mhhq.2s -mhki mhkh.2s -mhn9 mhn8.2s -mhq0
mhpz.2s -mhsr mhsq.2s -mhvi mhvh.2s -mhy9 mhy8.2s -mi10 mi0z.2s -mi3r mi3q.2s -mi6i mi6h.2s -mi99 mi98.2s -mic0
mibz.2s -mier mieq.2s -mihi mihh.2s -mik9 mik8.2s -min0 mimz.2s -mipr mipq.2s -misi mish.2s -miv9 miv8.2s -miy0
mixz.2s -mj0r mj0q.2s -mj3i mj3h.2s -mj69 mj68.2s -mj90 mj8z.2s -mjbr mjbq.2s -mjei mjeh.2s -mjh9 mjh8.2s -mjk0
mjjz.2s -mjmr mjmq.2s -mjpi mjph.2s -mjs9 mjs8.2s -mjv0 mjuz.2s -mjxr mjxq.2s -mk0i mk0h.2s -mk39 mk38.2s -mk60
mk5z.2s -mk8r mk8q.2s -mkbi mkbh.2s -mke9 mke8.2s -mkh0 mkgz.2s -mkjr mkjq.2s -mkmi mkmh.2s -mkp9 mkp8.2s -mks0
mkrz.2s -mkur mkuq.2s -mkxi mkxh.2s -ml09 ml08.2s -ml30 ml2z.2s -ml5r ml5q.2s -ml8i ml8h.2s -mlb9 mlb8.2s -mle0
mldz.2s -mlgr mlgq.2s -mlji mljh.2s -mlm9 mlm8.2s -mlp0 mloz.2s -mlrr mlrq.2s -mlui mluh.2s -mlx9 mlx8.2s -mm00
mlzz.2s -mm2r mm2q.2s -mm5i mm5h.2s -mm89 mm88.2s -mmb0 mmaz.2s -mmdr mmdq.2s -mmgi mmgh.2s -mmj9 mmj8.2s -mmm0
mmlz.2s -mmor mmoq.2s -mmri mmrh.2s -mmu9 mmu8.2s -mmx0 mmwz.2s -mmzr mmzq.2s -mn2i mn2h.2s -mn59 mn58.2s -mn80
mn7z.2s -mnar mnaq.2s -mndi mndh.2s -mng9 mng8.2s -mnj0 mniz.2s -mnlr mnlq.2s -mnoi mnoh.2s -mnr9 mnr8.2s -mnu0
mntz.2s -mnwr mnwq.2s -mnzi mnzh.2s -mo29 mo28.2s -mo50 mo4z.2s -mo7r mo7q.2s -moai moah.2s -mod9 mod8.2s -mog0
mofz.2s -moir moiq.2s -moli molh.2s -moo9 moo8.2s -mor0 moqz.2s -motr motq.2s -mowi mowh.2s -moz9 moz8.2s -mp20
mp1z.2s -mp4r mp4q.2s -mp7i mp7h.2s -mpa9 mpa8.2s -mpd0 mpcz.2s -mpfr mpfq.2s -mpii mpih.2s -mpl9 mpl8.2s -mpo0
mpnz.2s -mpqr mpqq.2s -mpti mpth.2s -mpw9 mpw8.2s -mpz0 mpyz.2s -mq1r mq1q.2s -mq4i mq4h.2s -mq79 mq78.2s -mqa0
mq9z.2s -mqcr mqcq.2s -mqfi mqfh.2s -mqi9 mqi8.2s -mql0 mqkz.2s -mqnr mqnq.2s -mqqi mqqh.2s -mqt9 mqt8.2s -mqw0
mqvz.2s -mqyr mqyq.2s -mr1i mr1h.2s -mr49 mr48.2s -mr70 mr6z.2s -mr9r mr9q.2s -mrci mrch.2s -mrf9 mrf8.2s -mri0
mrhz.2s -mrkr mrkq.2s -mrni mrnh.2s -mrq9 mrq8.2s -mrt0 mrsz.2s -mrvr mrvq.2s -mryi mryh.2s -ms19 ms18.2s -ms40
ms3z.2s -ms6r ms6q.2s -ms9i ms9h.2s -msc9 msc8.2s -msf0 msez.2s -mshr mshq.2s -mski mskh.2s -msn9 msn8.2s -msq0
mspz.2s -mssr mssq.2s -msvi msvh.2s -msy9 msy8.2s -mt10 mt0z.2s -mt3r mt3q.2s -mt6i mt6h.2s -mt99 mt98.2s -mtc0
mtbz.2s -mter mteq.2s -mthi mthh.2s -mtk9 mtk8.2s -mtn0 mtmz.2s -mtpr mtpq.2s -mtsi mtsh.2s -mtv9 mtv8.2s -mty0
mtxz.2s -mu0r mu0q.2s -mu3i mu3h.2s -mu69 mu68.2s -mu90 mu8z.2s -mubr mubq.2s -muei mueh.2s -muh9 muh8.2s -muk0
mujz.2s -mumr mumq.2s -mupi muph.2s -mus9 mus8.2s -muv0 muuz.2s -muxr muxq.2s -mv0i mv0h.2s -mv39 mv38.2s -mv60
mv5z.2s -mv8r mv8q.2s -mvbi mvbh.2s -mve9 mve8.2s -mvh0 mvgz.2s -mvjr mvjq.2s -mvmi mvmh.2s -mvp9 mvp8.2s -mvs0
mvrz.2s -mvur mvuq.2s -mvxi mvxh.2s -mw09 mw08.2s -mw30 mw2z.2s -mw5r mw5q.2s -mw8i mw8h.2s -mwb9 mwb8.2s -mwe0
mwdz.2s -mwgr mwgq.2s -mwji mwjh.2s -mwm9 mwm8.2s -mwp0 mwoz.2s -mwrr mwrq.2s -mwui mwuh.2s -mwx9 mwx8.2s -mx00
mwzz.2s -mx2r mx2q.2s -mx5i mx5h.2s -mx89 mx88.2s -mxb0 mxaz.2s -mxdr mxdq.2s -mxgi mxgh.2s -mxj9 mxj8.2s -mxm0
mxlz.2s -mxor mxoq.2s -mxri mxrh.2s -mxu9 mxu8.2s -mxx0 mxwz.2s -mxzr mxzq.2s -my2i my2h.2s -my59 my58.2s -my80
my7z.2s -myar myaq.2s -mydi mydh.2s -myg9 myg8.2s -myj0 myiz.2s -mylr mylq.2s -myoi myoh.2s -myr9 myr8.2s -myu0
mytz.2s -mywr mywq.2s -myzi myzh.2s -mz29 mz28.2s -mz50 mz4z.2s -mz7r mz7q.2s -mzai mzah.2s -mzd9 mzd8.2s -mzg0
mzfz.2s -mzir mziq.2s -mzli mzlh.2s -mzo9 mzo8.2s -mzr0 mzqz.2s -mztr mztq.2s -mzwi mzwh.2s -mzz9 mzz8.2s -n020
n01z.2s -n04r n04q.2s -n07i n07h.2s -n0a9 n0a8.2s -n0d0 n0cz.2s -n0fr n0fq.2s -n0ii n0ih.2s -n0l9 n0l8.2s -n0o0
n0nz.2s -n0qr n0qq.2s -n0ti n0th.2s -n0w9 n0w8.2s -n0z0 n0yz.2s -n11r n11q.2s -n14i n14h.2s -n179 n178.2s -n1a0
n19z.2s -n1cr n1cq.2s -n1fi n1fh.2s -n1i9 n1i8.2s -n1l0 n1kz.2s -n1nr n1nq.2s -n1qi n1qh.2s -n1t9 n1t8.2s -n1w0
n1vz.2s -n1yr n1yq.2s -n21i n21h.2s -n249 n248.2s -n270 n26z.2s -n29r n29q.2s -n2ci n2ch.2s -n2f9 n2f8.2s -n2i0
n2hz.2s -n2kr n2kq.2s -n2ni n2nh.2s -n2q9 n2q8.2s -n2t0 n2sz.2s -n2vr n2vq.2s -n2yi n2yh.2s -n319 n318.2s -n340
n33z.2s -n36r n36q.2s -n39i n39h.2s -n3c9 n3c8.2s -n3f0 n3ez.2s -n3hr n3hq.2s -n3ki n3kh.2s -n3n9 n3n8.2s -n3q0
n3pz.2s -n3sr n3sq.2s -n3vi n3vh.2s -n3y9 n3y8.2s -n410 n40z.2s -n43r n43q.2s -n46i n46h.2s -n499 n498.2s -n4c0
n4bz.2s -n4er n4eq.2s -n4hi n4hh.2s -n4k9 n4k8.2s -n4n0 n4mz.2s -n4pr n4pq.2s -n4si n4sh.2s -n4v9 n4v8.2s -n4y0
n4xz.2s -n50r n50q.2s -n53i n53h.2s -n569 n568.2s -n590 n58z.2s -n5br n5bq.2s -n5ei n5eh.2s -n5h9 n5h8.2s -n5k0
n5jz.2s -n5mr n5mq.2s -n5pi n5ph.2s -n5s9 n5s8.2s -n5v0 n5uz.2s -n5xr n5xq.2s -n60i n60h.2s -n639 n638.2s -n660
n65z.2s -n68r n68q.2s -n6bi n6bh.2s -n6e9 n6e8.2s -n6h0 n6gz.2s -n6jr n6jq.2s -n6mi n6mh.2s -n6p9 n6p8.2s -n6s0
n6rz.2s -n6ur n6uq.2s -n6xi n6xh.2s -n709 n708.2s -n730 n72z.2s -n75r n75q.2s -n78i n78h.2s -n7b9 n7b8.2s -n7e0
n7dz.2s -n7gr n7gq.2s -n7ji n7jh.2s -n7m9 n7m8.2s -n7p0 n7oz.2s -n7rr n7rq.2s -n7ui n7uh.2s -n7x9 n7x8.2s -n800
n7zz.2s -n82r n82q.2s -n85i n85h.2s -n889 n888.2s -n8b0 n8az.2s -n8dr n8dq.2s -n8gi n8gh.2s -n8j9 n8j8.2s -n8m0
n8lz.2s -n8or n8oq.2s -n8ri n8rh.2s -n8u9 n8u8.2s -n8x0 n8wz.2s -n8zr n8zq.2s -n92i n92h.2s -n959 n958.2s -n980
n97z.2s -n9ar n9aq.2s -n9di n9dh.2s -n9g9 n9g8.2s -n9j0 n9iz.2s -n9lr n9lq.2s -n9oi n9oh.2s -n9r9 n9r8.2s -n9u0
n9tz.2s -n9wr n9wq.2s -n9zi n9zh.2s -na29 na28.2s -na50 na4z.2s -na7r na7q.2s -naai naah.2s -nad9 nad8.2s -nag0
nafz.2s -nair naiq.2s -nali nalh.2s -nao9 nao8.2s -nar0 naqz.2s -natr natq.2s -nawi nawh.2s -naz9 naz8.2s -nb20
nb1z.2s -nb4r nb4q.2s -nb7i nb7h.2s -nba9 nba8.2s -nbd0 nbcz.2s -nbfr nbfq.2s -nbii nbih.2s -nbl9 nbl8.2s -nbo0
nbnz.2s -nbqr nbqq.2s -nbti nbth.2s -nbw9 nbw8.2s -nbz0 nbyz.2s -nc1r nc1q.2s -nc4i nc4h.2s -nc79 nc78.2s -nca0
nc9z.2s -nccr nccq.2s -ncfi ncfh.2s -nci9 nci8.2s -ncl0 nckz.2s -ncnr ncnq.2s -ncqi ncqh.2s -nct9 nct8.2s -ncw0
ncvz.2s -ncyr ncyq.2s -nd1i nd1h.2s -nd49 nd48.2s -nd70 nd6z.2s -nd9r nd9q.2s -ndci ndch.2s -ndf9 ndf8.2s -ndi0
ndhz.2s -ndkr ndkq.2s -ndni ndnh.2s -ndq9 ndq8.2s -ndt0 ndsz.2s -ndvr ndvq.2s -ndyi ndyh.2s -ne19 ne18.2s -ne40
ne3z.2s -ne6r ne6q.2s -ne9i ne9h.2s -nec9 nec8.2s -nef0 neez.2s -nehr nehq.2s -neki nekh.2s -nen9 nen8.2s -neq0
nepz.2s -nesr nesq.2s -nevi nevh.2s -ney9 ney8.2s -nf10 nf0z.2s -nf3r nf3q.2s -nf6i nf6h.2s -nf99 nf98.2s -nfc0
nfbz.2s -nfer nfeq.2s -nfhi nfhh.2s -nfk9 nfk8.2s -nfn0 nfmz.2s -nfpr nfpq.2s -nfsi nfsh.2s -nfv9 nfv8.2s -nfy0
nfxz.2s -ng0r ng0q.2s -ng3i ng3h.2s -ng69 ng68.2s -ng90 ng8z.2s -ngbr ngbq.2s -ngei ngeh.2s -ngh9 ngh8.2s -ngk0
ngjz.2s -ngmr ngmq.2s -ngpi ngph.2s -ngs9 ngs8.2s -ngv0 nguz.2s -ngxr ngxq.2s -nh0i nh0h.2s -nh39 nh38.2s -nh60
nh5z.2s -nh8r nh8q.2s -nhbi nhbh.2s -nhe9 nhe8.2s -nhh0 nhgz.2s -nhjr nhjq.2s -nhmi nhmh.2s -nhp9 nhp8.2s -nhs0
nhrz.2s -nhur nhuq.2s -nhxi nhxh.2s -ni09 ni08.2s -ni30 ni2z.2s -ni5r ni5q.2s -ni8i ni8h.2s -nib9 nib8.2s -nie0
nidz.2s -nigr nigq.2s -niji nijh.2s -nim9 nim8.2s -nip0 nioz.2s -nirr nirq.2s -niui niuh.2s -nix9 nix8.2s -nj00
nizz.2s -nj2r nj2q.2s -nj5i nj5h.2s -nj89 nj88.2s -njb0 njaz.2s -njdr njdq.2s -njgi njgh.2s -njj9 njj8.2s -njm0
njlz.2s -njor njoq.2s -njri njrh.2s -nju9 nju8.2s -njx0 njwz.2s -njzr njzq.2s -nk2i nk2h.2s -nk59 nk58.2s -nk80
nk7z.2s -nkar nkaq.2s -nkdi nkdh.2s -nkg9 nkg8.2s -nkj0 nkiz.2s -nklr nklq.2s -nkoi nkoh.2s -nkr9 nkr8.2s -nku0
nktz.2s -nkwr nkwq.2s -nkzi nkzh.2s -nl29 nl28.2s -nl50 nl4z.2s -nl7r nl7q.2s -nlai nlah.2s -nld9 nld8.2s -nlg0
nlfz.2s -nlir nliq.2s -nlli nllh.2s -nlo9 nlo8.8c -nlwi nlwh.2s -nlz9 nlz8.2s -nm20 nm1z.2s -nm4r nm4q.2s -nm7i
nm7h.2s -nma9 nma8.2s -nmd0 nmcz.2s -nmfr nmfq.2s -nmii nmih.2s -nml9 nml8.2s -nmo0 nmnz.2s -nmqr nmqq.2s -nmti
nmth.2s -nmw9 nmw8.2s -nmz0 nmyz.2s -nn1r nn1q.a -nn20.g 1.2x 274s.2 1.5 -26yn.6 4.3 7.7 -7zy.8 82u e 3k.1b 1.t 2ab7.2
-2ab9 2ab8.a -2abi 2abh.a -2abr 2abq.a -2ac0 2abz.a -2ac9 2ac8.4 2.4 -2aci 2ach.a -2acr 2acq.9 -2acz 2ad7.2 -2ad9
2ad8.a -2adi 2adh.a -2adr 2adq.a -2ae0 2adz.a -2ae9 2ae8.a -2aei 2aeh.a -2aer 2aeq.a -2af0 2aez.a -2af9 2af8.y 1o.6u
-2anq 2anz.a -2ao9 2ao8.a -2aoi 2aoh.a -2aor 2aoq.9 -2aoz 2ap0.9 -2ap9 2ap8.a -2api 2aph.a -2apr 2apq.a -2aq0 2apz.a
-2aq9 2aq8.a -2aqi 2aqh.a -2aqr 2aqq.a -2ar0 2aqz.a -2ar9 2ar8.a -2ari 2arh.a -2arr 2arq.a -2as0 2arz.a -2as9 2as8.a
-2asi 2ash.a -2asr 2asq.a -2at0 2asz.a -2at9 2at8.a -2ati 2ath.a -2atr 2atq.5 -2atv.2 2aue.e -2aur 2auq.a -2av0 2auz.a
-2av9 2av8.a -2avi 2avh.a -2avr 2avq.a -2aw0 2avz.6 -2aw5.g 2azz.a -2b09 2b08.a -2b0i.2 2b0s.8 -2b10 2b0z.a -2b19
2b18.a -2b1i 2b1h.a -2b1r 2b1q.a -2b20 2b1z.a -2b29 2b28.a -2b2i 2b2h.a -2b2r 2b2q.9 -2b2z 2b37.2 -2b39 2b38.a -2b3i
2b3h.a -2b3r 2b3q.3 -2b3t.1g c.k 2bot -2bou.2 2bph -2bpi.4 2bq9 -2bqa.2 2bqx -2bqy.3 2brq -2brr.3 2bsd -2bse.3 2bt6
-2bt7.3 2btt -2btu.3 2bum -2bun.3 2bv9 -2bva.6 2bws.8 -2bx0 2bwz.a -2bx9 2bx8.a -2bxi 2bxh.a -2bxr 2bxq.a -2by0 2bxz.a
-2by9 2by8.a -2byi 2byh.a -2byr 2byq.a -2bz0 2byz.a -2bz9 2bz8.a -2bzi 2bzh.a -2bzr 2bzq.a -2c00 2bzz.a -2c09 2c08.a
-2c0i 2c0h.a -2c0r 2c0q.a -2c10 2c0z.a -2c19 2c18.a -2c1i 2c1h.a -2c1r 2c1q.a -2c20 2c1z.a -2c29 2c28.a -2c2i 2c2h.a
-2c2r 2c2q.a -2c30 2c2z.a -2c39 2c38.a -2c3i 2c3h.a -2c3r 2c3q.a -2c40 2c3z.a -2c49 2c48.a -2c4i 2c4h.a -2c4r 2c4q.a
-2c50 2c4z.a -2c59 2c58.a -2c5i 2c5h.a -2c5r 2c5q.a -2c60 2c5z.a -2c69 2c68.a -2c6i 2c6h.a -2c6r 2c6q.a -2c70 2c6z.a
-2c79 2c78.a -2c7i 2c7h.a -2c7r 2c7q.a -2c80 2c7z.a -2c89 2c88.a -2c8i 2c8h.a -2c8r 2c8q.a -2c90 2c8z.a -2c99 2c98.a
-2c9i 2c9h.a -2c9r 2c9q.a -2ca0 2c9z.a -2ca9 2ca8.a -2cai 2cah.a -2car 2caq.a -2cb0 2caz.a -2cb9 2cb8.a -2cbi 2cbh.a
-2cbr 2cbq.a -2cc0 2cbz.a -2cc9 2cc8.a -2cci 2cch.a -2ccr 2ccq.a -2cd0 2ccz.4 -2cd3 2cdh -2cdi 2cdh.4 1.5 -2cdr 2cdq.a
-2ce0.2m q.c 5.4 3.4 -9e9 9e8.j 2djl.6 -2djr 2djq -2djr 2dke -2dk6.7 5.2 5.3 2dta 1p.4 f -2nb8 9i4.4 3 -9ic 2og9.g
31.3 1.3 j.2 -2ezp -9ku 2p6a.1w 24.1p c2.2 -2fz6.a 2g6e.4 -2g6i 2g6h.a -2g6r 2g6q.a -2g70 2g6z.a -2g79 2g78.a -2g7i
2g7l.6 -2g7r 2g7q.2m c.f 2.f 1.f 1.11 a.1c q.6 q.6 -2gfk.2 2gg8.a -2ggi 2ggh.a -2ggr 2ggq.a -2gh0 2ggz.6 -2gh5.6
2gij.8 -2gir 2giq.a -2gj0 2giz.a -2gj9 2gj8 -2gj9 2gjl.6 -2gjr 2gjq.a -2gk0 2gjz.a -2gk9 2gk8.a -2gki 2gkh.8 -2gkp
2gks.8 -2gl0 2gkz 7.2 -2gl9.2 2gll.6 -2glr.d 2gpo.74 -2gw0 2gvz.a -2gw9 2gw8.a -2gwi 2gwh.a -2gwr 2gwq.a -2gx0 2gwz.a
-2gx9 2gx8.a -2gxi 2gxh.a -2gxr 2gxq.a -2gy0 2gxz.a -2gy9 2gy8.a -2gyi 2gyh.a -2gyr 2gyq.a -2gz0 2gyz.a -2gz9 2gz8.a
-2gzi 2gzh.a -2gzr 2gzq.a -2h00 2gzz.a -2h09 2h08.a -2h0i 2h0h.a -2h0r 2h0q.a -2h10 2h0z.a -2h19 2h18.a -2h1i 2h1h.a
-2h1r 2h1q.a -2h20 2h1z.a -2h29 2h28.a -2h2i 2h2h.a -2h2r 2h2q.a -2h30 2h2z.a -2h39 2h38.a -2h3i 2h3h.k -2h40 2h3z.a
-2h49 2h48.a -2h4i 2h4h.a -2h4r 2h4q.a -2h50 2h4z.a -2h59 2h58.a -2h5i 2h5h.a -2h5r 2h5q.a -2h60 2h5z.a -2h69 2h68.a
-2h6i 2h6h.a -2h6r 2h6q.a -2h70 2h6z.a -2h79 2h78.a -2h7i 2h7h.a -2h7r 2h7q.a -2h80 2h7z.a -2h89 2h88.a -2h8i 2h8h.a
-2h8r 2h8q.a -2h90 2h8z.a -2h99 2h98.a -2h9i 2h9h.a -2h9r 2h9q.a -2ha0 2h9z.a -2ha9 2ha8.a -2hai 2hah.a -2har 2haq.a
-2hb0 2haz.a -2hb9 2hb8.a -2hbi 2hbh.a -2hbr 2hbq.a -2hc0 2hbz.a -2hc9 2hc8.a -2hci 2hch.a -2hcr 2hcq.a -2hd0 2hcz.a
-2hd9 2hd8.a -2hdi 2hdh.a -2hdr 2hdq.a -2he0 2hdz.8 -2he7 2heb.7 -2hei 2heh.9 -2heq 2hes.8 -2hf0 2hez.5 3.2 -2hf9
2hf8.a -2hfi 2hfh.a -2hfr 2hfq.a -2hg0 2hfz.a -2hg9 2hg8.a -2hgi 2hgh.a -2hgr 2hgq.a -2hh0 2hgz.a -2hh9 2hh8.a -2hhi
2hhh.a -2hhr 2hhq.a -2hi0 2hhz.4 -2hi3 2hie.4 -2hii 2hih.a -2hir 2hiq.a -2hj0 2hiz.a -2hj9 2hj8.a -2hji 2hjh.a -2hjr
2hjq.a -2hk0 2hjz.a -2hk9 2hk8.a -2hki 2hkh.5 -2hkm 2hks.8 -2hl0 2hkz.4 4 -2hl8.2 2hll.6 -2hlr 2hlq.6 -2hlw 2hlz.a
-2hm9 2hm8.a -2hmi 2hmh.a -2hmr 2hmq.a -2hn0 2hmz.a -2hn9 2hn8.6 -2hne 2hnl.6 -2hnr 2hnq.4 -2hnu 2hnz.a -2ho9 2ho8.a
-2hoi 2hoh.a -2hor 2hoq.a -2hp0 2hp7.2 -2hp9 2hp8.a -2hpi 2hph.a -2hpr 2hpq.8 -2hpy 2hpz.2 -2hq1.8 2hrz.a -2hs9 2hs8.a
-2hsi 2hsh.a -2hsr 2hsq.a -2ht0 2hsz.a -2ht9 2ht8.a -2hti 2hth.a -2htr 2htq.a -2hu0 2htz.a -2hu9 2hu8.a -2hui 2huh.a
-2hur 2huq.a -2hv0 2huz.a -2hv9 2hv8.a -2hvi 2hvh.a -2hvr 2hvq.a -2hw0 2hvz.a -2hw9 2hw8.a -2hwi 2hwh.a -2hwr 2hwq.a
-2hx0 2hwz.a -2hx9 2hx8.a -2hxi 2hxh.a -2hxr 2hxq.a -2hy0 2hxz.a -2hy9 2hy8.a -2hyi 2hyh.a -2hyr 2hyq.a -2hz0 2hyz.a
-2hz9 2hz8.a -2hzi 2hzh.a -2hzr 2hzq.a -2i00 2hzz.a -2i09 2i08.a -2i0i.2 2i0s.8 -2i10 2i0z.6 2.2 -2i19 2i18.3 3.4
-2i1i 2i1h 3.6 -2i1r 2i1q -2i1r 2i1z.a -2i29 2i28.a -2i2i 2i2h.9 -2i2q 2i2s.8 -2i30 2i2z.3 5.2 -2i39 2i38.4 -2i3c
2i3l.6 -2i3r 2i3q.4 -2i3u 2i3z.8 -2i47 2i4e.4 -2i4i 2i4h.3 -2i4k 2i4s.8 -2i50 2i4z.a -2i59 2i58.a -2i5i 2i5h.a -2i5r
2i5q.a -2i60 2i5z.a -2i69 2i68.a -2i6i 2i6h.a -2i6r 2i6q.a -2i70 2i6z.a -2i79 2i78.a -2i7i 2i7h.a -2i7r 2i7q.a -2i80
2i7z.a -2i89 2i88.9 -2i8h 2i8h.a -2i8r 2i8q.a -2i90 2i8z.a -2i99 2i98.a -2i9i 2i9h.a -2i9r 2i9q.5 -2i9v.8o -97q.6 15.2
2.3 1.v e 1 2 2 18.2 b.g b.5 -134.3 14l -14m.2 151.4 -155.5 1.4 17p -17q 17x.3 -180 17z 8 -189 188.3 -18b 18q -18r 18q
1.8 -190 18z.6 1 -196.4 1ae.b -1ao.5 f7k.1s -dud.9 2.4 3.3 o.2 j 2.f q.3 2 -1hk 1io 7.2 6.8 16.a c.3 7.6 24 g 3.4 f.2
a -1oa 1qc g 10.a 1.2 1p g 14 1x g y.2 b.3 1o g 7 q 1.6 2d y.b 9 1j g 15.9 4 1j g -2i5 2l5.2 -2l7 2lm 1 8.7 h.a -2mv
2p2 15 -2q9 2sa 7.6 1.2 a.2 -2t3 2vo d.5 -2w7 2xm.v a.i -2z9 2z8.4 1u.6 -31c 32t.f 1.d -33m 365 1.2 f.6 -36u wh1.1j
1j.2 7h.3 -tiq.2 tlb.5 8.3 35.8 8.n 9.2 2v.2 -x28 x5m x.5 3.a 1m.4 24 9.2 g.i 6.3 1 1a.5 z b 2b c.e -u6r u76.2 3g.4
n.3 1x 1 s.2 g.2 4 2s e.2 -xts xxa.3 -xxd.3 3sd.w j.a 2u 14an.1u -13v9 13v8.a -13vi 13vh.ci -146r 146q.a -1470 146z.3c
-18pi 18ph.im -14qr 14qq.a -14r0 14qz.a -14r9 14r8.8m -19h9 19h8.28 -1510 150z.a -1519 1518.8m -1590 158z.a -1599
1598.a -159i 159h.g4 -1a90 1a8z.iw -1650 164z.a -1659 1658.5k -16a9 16a8.a -16ai 16ah.a -16ar 16aq.a -16b0 16az.a
-16b9 16b8.a -16bi 16bh.a -16br 16bq.a -16c0 16bz.a -16c9 16c8.a -16ci 16ch.a -16cr 16cq.a -1b0r 4nq 16cz.a -16d9
16d8.a -16di 16dh.k -16e0 16dz.a -16e9 16e8.a -16ei 16eh.a -16er 16eq.k -16f9 16f8.5a -16k0 16jz.a -16k9 16k8.a -16ki
16kh.a -16kr 16kq.a -16l0 16kz.a -16l9 16l8.a -16li 16lh.a -16lr 16lq.a -16m0 16lz.a -16m9 16m8.1y -16o0 16nz.a -16o9
16o8.a -16oi 16oh.a -16or 16oq.a -16p0 16oz.a -16p9 16p8.a -16pi 16ph.a -16pr 16pq.a -16q0 16pz.a -16q9 16q8.a -16qi
16qh.a -16qr 16qq.a -16r0 16qz.a -16r9 16r8.a -16ri 16rh.a -16rr 16rq.be -1bsi 1bsh.rs -1ck9 1ck8.ko -1d4w 1dk8 3s.h
-18qy.3 4 3.2 1914.i 3j 18.u 6.1f 1.j 1.4 43 1.f a.7 q.6 q.b 3e.7 1.7 a.5 76.3 4.19 3.9 1h.q 1.d 3 1b.1a -19us 3.6
1a0s.8 -1a10 1a0z.a -1a19 1a18.a -1a1i.4 1a2e.4 -1a2i.d 1a5k -1a5l.5 1a6s -1a6t.4 u.2 1ahb -1afk 1b06.9 n.9 -1b0r.3
1b1r.9 -1b20.5 2 1b3v.5 m.6 3 v 3g.2 2.g 2.1a 1k.3 4 -1bc0 1bbz.9 -1bc8 1bce.4 -1bci 1bch.5 -1bcm.4 1bdi.3 -1bdk.2
1beb.3 -1bee.4 1bfe -1bfd 1bg4.2 -1bg6 1bg9.9 -1bgi 1bgh.3 -1bgk.6 1bi8 -1bi9 1bi8.6 -1bie.3 1biz.8 -1bj7.2 1bjt.8
-1bjz.2 1bkm.4 -1bkq.2 1bl0.7 -1bl7.7 1bu6.6 9s.v 1a 33.a v.k 14.8 1n.7 -1cbc 1cep.8 4.k a e.3 -1cfy 1chg.9 b 2t.2 b.4
1b.3 -1cm4.7 1cnz 4.5 -1co9 1co8.4 -1coc 1coo 1 -1cor 1coq.2 1.7 -1cp0 1coz.a -1cp9 1cp8.3 -1cpb.6 1cqx.2 -1cqz 1cqz.6
-1cr5.b 1ctt -1ctu.6 1cvf.2 -1cvh 1cxo.2 g o.7 3.5 -1hv7.2 1i0u 3 4.5 a.2 1.2 -1i1n 4x1.2 1d7a.2 2 -1i4i 1ibd.p 2v 1.3
s.d 21.2 1 -1djo 1dms e.6 -1dn2.2 8.4 1dtl.3 4u.9 22.2 4.4 49 1 -1j4h 50k 1e63.2 a.9 -1e6l.3 -50r 50q.2 1e8o.5 1.5
-1j9r.4 1jl3 1.5 k.6 -1jm0 1jlz.d 3.2 -1jmh 52c.2 -52e 1js7 1.2 -1jsb 1juj -1juk.3 1k48.2 -1k4a 540.7 1f5l.6 -1f5r
1f5q.18 d -1f74.p 4 -555 55a 2.3 -55g.6 1l6s.5 -1l6w 1.b 5ae.4 -5ai 5ah.a -5ar 5aq.a -5b0 5az.a -5b9 5b8.5 -5bd 5bq
-5br 5bq.a -5c0.b 1nfq.2 -1nfs.a 1o9n.4 -1o9r 1o9q.5 -1o9v.n 5n4 1.3 -5n9.2 5ni.3 -5nl 5nx.3 -5o0.2 5ob.3 -5oe 5oq
-5or 5oq 8 -5p0 5p2.7 -5p9 5p8.a -5pi 5ph.a -5pr 5pq.2 2.6 -5q0 5pz.a -5q9 5q8.a -5qi 5qh.a -5qr 5qq.a -5r0 5qz.7 1.2
-5r9 5r8.3 1.6 -5ri 5rh.5 3.2 -5rr 5rq.9 -5rz 5rz.a -5s9 5s8.5 -5sd.2 5ss.8 -5t0 5sz.k -5ti 5th.5 -5tm.2 5tz.a -5u9
5u8.a -5ui 5uh.a -5ur 5uq.3 -5ut 5v7.2 -5v9 5v9.4 1.2 -5vg 5vp -5vq 5vq.3 5.2 -5w0 5vz.4 1 1 1 -5w9 5wc -5wd 5wn.2
-5wp 5ws.5 -5wx 5x1.4 1.3 -5x9 5x8.a -5xi 5xh.4 -5xl.4 5ym.3 -5yp 5ys.8 -5z0 5yz.a -5z9 5z8.a -5zi 5zh.a -5zr 5zq.a
-600 5zz.a -609 608.a -60i 60h.a -60r 60q.a -610 60z.a -619 618.a -61i 61h.a -61r 61q.a -620 61z.a -629 628.a -62i
62h.a -62r 62q.a -630 62z.a -639 638.a -63i 63h.a -63r 63q.1o -659 658.2i -67i 67h.1o -690 68z.a -699 698.k -69r
69q.1y -6y9 6y8.24 jgvd u.1s -jgy0 jgxz.w -jgyv jh2e.14 -jh3i jh3h.2s -jh69 jh68.2s -jh90.k -710 70z.1j 1sg7.2 -1sfk.b
1sit.6 1m.g 4.2 -1zop 1zp9.7 -1sle.1z 1t5l.6 -1t5r 1t5q.a -1t60 1t5z.a -1t69 1t68 -1t69.c -76g 20lf 1 -1tdn.1e -799
798.2s -7c0 7bz.6f kuxl.1o -kuz9 kuz8.2s -kv20 kv1z.2s -kv4r kv4q.2s -kv7i kv7h.2s -kva9 kva8.2s -kvd0 kvcz.2s -kvfr
kvfq.2s -kvii kvih.2s -kvl9 kvl8.2s -kvo0 kvnz.2s -kvqr kvqq.2s -kvti kvth.2s -kvw9 kvw8.2s -kvz0 kvyz.2s -kw1r
kw1q.2s -kw4i kw4h.2s -kw79 kw78.2s -kwa0 kw9z.2s -kwcr kwcq.2s -kwfi kwfh.2s -kwi9 kwi8.2s -kwl0 kwkz.2s -kwnr
kwnq.2s -kwqi kwqh.2s -kwt9 kwt8.2s -kww0 kwvz.2s -kwyr kwyq.2s -kx1i kx1h.2s -kx49 kx48.2s -kx70 kx6z.2s -kx9r
kx9q.2s -kxci kxch.2s -kxf9 kxf8.2s -kxi0 kxhz.2s -kxkr kxkq.2s -kxni kxnh.2s -kxq9 kxq8.2s -kxt0 kxsz.2s -kxvr
kxvq.2s -kxyi kxyh.2s -ky19 ky18.2s -ky40 ky3z.2s -ky6r ky6q.2s -ky9i ky9h.2s -kyc9 kyc8.2s -kyf0 kyez.2s -kyhr
kyhq.2s -kyki kykh.2s -kyn9 kyn8.2s -kyq0 kypz.2s -kysr kysq.2s -kyvi kyvh.2s -kyy9 kyy8.2s -kz10 kz0z.2s -kz3r
kz3q.2s -kz6i kz6h.2s -kz99 kz98.2s -kzc0 kzbz.2s -kzer kzeq.2s -kzhi kzhh.2s -kzk9 kzk8.2s -kzn0 kzmz.2s -kzpr
kzpq.2s -kzsi kzsh.2s -kzv9 kzv8.2s -kzy0 kzxz.2s -l00r l00q.2s -l03i l03h.2s -l069 l068.2s -l090 l08z.2s -l0br
l0bq.2s -l0ei l0eh.2s -l0h9 l0h8.2s -l0k0 l0jz.2s -l0mr l0mq.2s -l0pi l0ph.2s -l0s9 l0s8.2s -l0v0 l0uz.2s -l0xr
l0xq.2s -l10i l10h.2s -l139 l138.2s -l160 l15z.2s -l18r l18q.2s -l1bi l1bh.2s -l1e9 l1e8.2s -l1h0 l1gz.2s -l1jr
l1jq.2s -l1mi l1mh.2s -l1p9 l1p8.2s -l1s0 l1rz.2s -l1ur l1uq.2s -l1xi l1xh.2s -l209 l208.2s -l230 l22z.2s -l25r
l25q.2s -l28i l28h.2s -l2b9 l2b8.2s -l2e0 l2dz.2s -l2gr l2gq.2s -l2ji l2jh.2s -l2m9 l2m8.2s -l2p0 l2oz.2s -l2rr
l2rq.2s -l2ui l2uh.2s -l2x9 l2x8.2s -l300 l2zz.2s -l32r l32q.2s -l35i l35h.2s -l389 l388.2s -l3b0 l3az.2s -l3dr
l3dq.2s -l3gi l3gh.2s -l3j9 l3j8.2s -l3m0 l3lz.2s -l3or l3oq.2s -l3ri l3rh.2s -l3u9 l3u8.2s -l3x0 l3wz.2s -l3zr
l3zq.2s -l42i l42h.2s -l459 l458.2s -l480 l47z.2s -l4ar l4aq.2s -l4di l4dh.2s -l4g9 l4g8.2s -l4j0 l4iz.2s -l4lr
l4lq.2s -l4oi l4oh.2s -l4r9 l4r8.2s -l4u0 l4tz.2s -l4wr l4wq.2s -l4zi l4zh.2s -l529 l528.2s -l550 l54z.2s -l57r
l57q.2s -l5ai l5ah.2s -l5d9 l5d8.2s -l5g0 l5fz.2s -l5ir l5iq.2s -l5li l5lh.2s -l5o9 l5o8.2s -l5r0 l5qz.2s -l5tr
l5tq.2s -l5wi l5wh.2s -l5z9 l5z8.2s -l620 l61z.2s -l64r l64q.2s -l67i l67h.2s -l6a9 l6a8.2s -l6d0 l6cz.2s -l6fr
l6fq.2s -l6ii l6ih.2s -l6l9 l6l8.2s -l6o0 l6nz.2s -l6qr l6qq.2s -l6ti l6th.2s -l6w9 l6w8.2s -l6z0 l6yz.2s -l71r
l71q.2s -l74i l74h.2s -l779 l778.2s -l7a0 l79z.2s -l7cr l7cq.2s -l7fi l7fh.2s -l7i9 l7i8.2s -l7l0 l7kz.2s -l7nr
l7nq.2s -l7qi l7qh.2s -l7t9 l7t8.2s
"""

PRINT = """
2s oz 6xz 1xfz jafz.a -jag9 jag8.a -jagi jagh.a -jagr jagq.a -jah0 jagz.a -jah9 jah8.a -jahi jahh.a -jahr jahq.a -jai0
jahz.a -jai9 jai8.a -l7yr 1xg8 jaih.a -jair jaiq.a -jaj0 jaiz.a -jaj9 jaj8.a -jaji jajh.a -jajr jajq.a -jak0 jajz.a
-jak9 jak8.a -jaki jakh.a -jakr jakq.a -l81i 1xgh jakz.a -jal9 jal8.a -jali jalh.a -jalr jalq.a -jam0 jalz.a -jam9
jam8.a -jami jamh.a -jamr jamq.a -jan0 jamz.a -jan9 jan8.a -l849 1xgq janh.a -janr janq.a -jao0 janz.a -jao9 jao8.a
-jaoi jaoh.a -jaor jaoq.a -jap0 jaoz.a -jap9 jap8.a -japi japh.a -japr japq.a -l870 1xgz japz.a -jaq9 jaq8.a -jaqi
jaqh.a -jaqr jaqq.a -jar0 jaqz.a -jar9 jar8.a -jari jarh.a -jarr jarq.a -jas0 jarz.a -jas9 jas8.a -l89r 1xh8 jash.a
-jasr jasq.a -jat0 jasz.a -jat9 jat8.a -jati jath.a -jatr jatq.a -jau0 jatz.a -jau9 jau8.a -jaui jauh.a -jaur jauq.a
-l8ci 1xhh jauz.a -jav9 jav8.a -javi javh.a -javr javq.a -jaw0 javz.a -jaw9 jaw8.a -jawi jawh.a -jawr jawq.a -jax0
jawz.a -jax9 jax8.a -l8f9 1xhq jaxh.a -jaxr jaxq.a -jay0 jaxz.a -jay9 jay8.a -jayi jayh.a -jayr jayq.a -jaz0 jayz.a
-jaz9 jaz8.a -jazi jazh.a -jazr jazq.a -l8i0 1xhz jazz.a -jb09 jb08.a -jb0i jb0h.a -jb0r jb0q.a -jb10 jb0z.a -jb19
jb18.a -jb1i jb1h.a -jb1r jb1q.a -jb20 jb1z.a -jb29 jb28.a -l8kr 1xi8 jb2h.a -jb2r jb2q.a -jb30 jb2z.a -jb39 jb38.a
-jb3i jb3h.a -jb3r jb3q.a -jb40 jb3z.a -jb49 jb48.a -jb4i jb4h.a -jb4r jb4q.a -lflr 6y8 1xih jb4z.a -jb59 jb58.a -jb5i
jb5h.a -jb5r jb5q.a -jb60 jb5z.a -jb69 jb68.a -jb6i jb6h.a -jb6r jb6q.a -jb70 jb6z.a -jb79 jb78.a -l8q9 1xiq jb7h.a
-jb7r jb7q.a -jb80 jb7z.a -jb89 jb88.a -jb8i jb8h.a -jb8r jb8q.a -jb90 jb8z.a -jb99 jb98.a -jb9i jb9h.a -jb9r jb9q.a
-l8t0 1xiz jb9z.a -jba9 jba8.a -jbai jbah.a -jbar jbaq.a -jbb0 jbaz.a -jbb9 jbb8.a -jbbi jbbh.a -jbbr jbbq.a -jbc0
jbbz.a -jbc9 jbc8.a -l8vr 1xj8 jbch.a -jbcr jbcq.a -jbd0 jbcz.a -jbd9 jbd8.a -jbdi jbdh.a -jbdr jbdq.a -jbe0 jbdz.a
-jbe9 jbe8.a -jbei jbeh.a -jber jbeq.a -l8yi 1xjh jbez.a -jbf9 jbf8.a -jbfi jbfh.a -jbfr jbfq.a -jbg0 jbfz.a -jbg9
jbg8.a -jbgi jbgh.a -jbgr jbgq.a -jbh0 jbgz.a -jbh9 jbh8.a -l919 1xjq jbhh.a -jbhr jbhq.a -jbi0 jbhz.a -jbi9 jbi8.a
-jbii jbih.a -jbir jbiq.a -jbj0 jbiz.a -jbj9 jbj8.a -jbji jbjh.a -jbjr jbjq.a -l940 1xjz jbjz.a -jbk9 jbk8.a -jbki
jbkh.a -jbkr jbkq.a -jbl0 jbkz.a -jbl9 jbl8.a -jbli jblh.a -jblr jblq.a -jbm0 jblz.a -jbm9 jbm8.a -l96r 1xk8 jbmh.a
-jbmr jbmq.a -jbn0 jbmz.a -jbn9 jbn8.a -jbni jbnh.a -jbnr jbnq.a -jbo0 jbnz.a -jbo9 jbo8.a -jboi jboh.a -jbor jboq.a
-l99i 1xkh jboz.a -jbp9 jbp8.a -jbpi jbph.a -jbpr jbpq.a -jbq0 jbpz.a -jbq9 jbq8.a -jbqi jbqh.a -jbqr jbqq.a -jbr0
jbqz.a -jbr9 jbr8.a -l9c9 1xkq jbrh.a -jbrr jbrq.a -jbs0 jbrz.a -jbs9 jbs8.a -jbsi jbsh.a -jbsr jbsq.a -jbt0 jbsz.a
-jbt9 jbt8.a -jbti jbth.a -jbtr jbtq.a -lgdi 6yh 1xkz jbtz.a -jbu9 jbu8.a -jbui jbuh.a -jbur jbuq.a -jbv0 jbuz.a -jbv9
jbv8.a -jbvi jbvh.a -jbvr jbvq.a -jbw0 jbvz.a -jbw9 jbw8.a -l9hr 1xl8 jbwh.a -jbwr jbwq.a -jbx0 jbwz.a -jbx9 jbx8.a
-jbxi jbxh.a -jbxr jbxq.a -jby0 jbxz.a -jby9 jby8.a -jbyi jbyh.a -jbyr jbyq.a -l9ki 1xlh jbyz.a -jbz9 jbz8.a -jbzi
jbzh.a -jbzr jbzq.a -jc00 jbzz.a -jc09 jc08.a -jc0i jc0h.a -jc0r jc0q.a -jc10 jc0z.a -jc19 jc18.a -l9n9 1xlq jc1h.a
-jc1r jc1q.a -jc20 jc1z.a -jc29 jc28.a -jc2i jc2h.a -jc2r jc2q.a -jc30 jc2z.a -jc39 jc38.a -jc3i jc3h.a -jc3r jc3q.a
-l9q0 1xlz jc3z.a -jc49 jc48.a -jc4i jc4h.a -jc4r jc4q.a -jc50 jc4z.a -jc59 jc58.a -jc5i jc5h.a -jc5r jc5q.a -jc60
jc5z.a -jc69 jc68.a -l9sr 1xm8 jc6h.a -jc6r jc6q.a -jc70 jc6z.a -jc79 jc78.a -jc7i jc7h.a -jc7r jc7q.a -jc80 jc7z.a
-jc89 jc88.a -jc8i jc8h.a -jc8r jc8q.a -l9vi 1xmh jc8z.a -jc99 jc98.a -jc9i jc9h.a -jc9r jc9q.a -jca0 jc9z.a -jca9
jca8.a -jcai jcah.a -jcar jcaq.a -jcb0 jcaz.a -jcb9 jcb8.a -l9y9 1xmq jcbh.a -jcbr jcbq.a -jcc0 jcbz.a -jcc9 jcc8.a
-jcci jcch.a -jccr jccq.a -jcd0 jccz.a -jcd9 jcd8.a -jcdi jcdh.a -jcdr jcdq.a -la10 1xmz jcdz.a -jce9 jce8.a -jcei
jceh.a -jcer jceq.a -jcf0 jcez.a -jcf9 jcf8.a -jcfi jcfh.a -jcfr jcfq.a -jcg0 jcfz.a -jcg9 jcg8.a -la3r 1xn8 jcgh.a
-jcgr jcgq.a -jch0 jcgz.a -jch9 jch8.a -jchi jchh.a -jchr jchq.a -jci0 jchz.a -jci9 jci8.a -jcii jcih.a -jcir jciq.a
-lh59 6yq 1xnh jciz.a -jcj9 jcj8.a -jcji jcjh.a -jcjr jcjq.a -jck0 jcjz.a -jck9 jck8.a -jcki jckh.a -jckr jckq.a -jcl0
jckz.a -jcl9 jcl8.a -la99 1xnq jclh.a -jclr jclq.a -jcm0 jclz.a -jcm9 jcm8.a -jcmi jcmh.a -jcmr jcmq.a -jcn0 jcmz.a
-jcn9 jcn8.a -jcni jcnh.a -jcnr jcnq.a -lac0 1xnz jcnz.a -jco9 jco8.a -jcoi jcoh.a -jcor jcoq.a -jcp0 jcoz.a -jcp9
jcp8.a -jcpi jcph.a -jcpr jcpq.a -jcq0 jcpz.a -jcq9 jcq8.a -laer 1xo8 jcqh.a -jcqr jcqq.a -jcr0 jcqz.a -jcr9 jcr8.a
-jcri jcrh.a -jcrr jcrq.a -jcs0 jcrz.a -jcs9 jcs8.a -jcsi jcsh.a -jcsr jcsq.a -lahi 1xoh jcsz.a -jct9 jct8.a -jcti
jcth.a -jctr jctq.1y -lak9 lak8.k -jcw0 jcvz.a -jcw9 jcw8.a -jcwi jcwh.a -jcwr jcwq.a -jcx0 jcwz.a -jcx9 jcx8.a -jcxi
jcxh.a -jcxr jcxq.a -lan0 1xoz jcxz.a -jcy9 jcy8.a -jcyi jcyh.a -jcyr jcyq.a -jcz0 jcyz.a -jcz9 jcz8.a -jczi jczh.a
-jczr jczq.a -jd00 jczz.a -jd09 jd08.a -lapr 1xp8 jd0h.a -jd0r jd0q.a -jd10 jd0z.a -jd19 jd18.a -jd1i jd1h.a -jd1r
jd1q.a -jd20 jd1z.a -jd29 jd28.a -jd2i jd2h.a -jd2r jd2q.a -lasi 1xph jd2z.a -jd39 jd38.a -jd3i jd3h.a -jd3r jd3q.a
-jd40 jd3z.a -jd49 jd48.a -jd4i jd4h.a -jd4r jd4q.a -jd50 jd4z.a -jd59 jd58.a -lav9 1xpq jd5h.a -jd5r jd5q.a -jd60
jd5z.a -jd69 jd68.a -jd6i jd6h.a -jd6r jd6q.a -jd70 jd6z.a -jd79 jd78.a -jd7i jd7h.a -jd7r jd7q.a -lhx0 6yz 1xpz
jd7z.a -jd89 jd88.a -jd8i jd8h.a -jd8r jd8q.a -jd90 jd8z.a -jd99 jd98.a -jd9i jd9h.a -jd9r jd9q.a -jda0 jd9z.a -jda9
jda8.a -lb0r 1xq8 jdah.a -jdar jdaq.a -jdb0 jdaz.a -jdb9 jdb8.a -jdbi jdbh.a -jdbr jdbq.a -jdc0 jdbz.a -jdc9 jdc8.a
-jdci jdch.a -jdcr jdcq.a -lb3i 1xqh jdcz.a -jdd9 jdd8.a -jddi jddh.a -jddr jddq.a -jde0 jddz.a -jde9 jde8.a -jdei
jdeh.a -jder jdeq.a -jdf0 jdez.a -jdf9 jdf8.a -lb69 1xqq jdfh.a -jdfr jdfq.a -jdg0 jdfz.a -jdg9 jdg8.a -jdgi jdgh.a
-jdgr jdgq.a -jdh0 jdgz.a -jdh9 jdh8.a -jdhi jdhh.a -jdhr jdhq.a -lb90 1xqz jdhz.a -jdi9 jdi8.a -jdii jdih.a -jdir
jdiq.a -jdj0 jdiz.a -jdj9 jdj8.a -jdji jdjh.a -jdjr jdjq.a -jdk0 jdjz.a -jdk9 jdk8.a -lbbr 1xr8 jdkh.a -jdkr jdkq.a
-jdl0 jdkz.a -jdl9 jdl8.a -jdli jdlh.a -jdlr jdlq.a -jdm0 jdlz.a -jdm9 jdm8.a -jdmi jdmh.a -jdmr jdmq.a -lbei 1xrh
jdmz.a -jdn9 jdn8.a -jdni jdnh.a -jdnr jdnq.a -jdo0 jdnz.a -jdo9 jdo8.a -jdoi jdoh.a -jdor jdoq.a -jdp0 jdoz.a -jdp9
jdp8.a -lbh9 1xrq jdph.a -jdpr jdpq.a -jdq0 jdpz.a -jdq9 jdq8.a -jdqi jdqh.a -jdqr jdqq.a -jdr0 jdqz.a -jdr9 jdr8.a
-jdri jdrh.a -jdrr jdrq.a -lbk0 1xrz jdrz.a -jds9 jds8.a -jdsi jdsh.a -jdsr jdsq.a -jdt0 jdsz.a -jdt9 jdt8.a -jdti
jdth.a -jdtr jdtq.a -jdu0 jdtz.a -jdu9 jdu8.a -lbmr 1xs8 jduh.a -jdur jduq.a -jdv0 jduz.a -jdv9 jdv8.a -jdvi jdvh.a
-jdvr jdvq.a -jdw0 jdvz.a -jdw9 jdw8.a -jdwi jdwh.a -jdwr jdwq.a -lior 6z8 1xsh jdwz.a -jdx9 jdx8.a -jdxi jdxh.a -jdxr
jdxq.a -jdy0 jdxz.a -jdy9 jdy8.a -jdyi jdyh.a -jdyr jdyq.a -jdz0 jdyz.a -jdz9 jdz8.a -lbs9 1xsq jdzh.a -jdzr jdzq.a
-je00 jdzz.a -je09 je08.a -je0i je0h.a -je0r je0q.a -je10 je0z.a -je19 je18.a -je1i je1h.a -je1r je1q.a -lbv0 1xsz
je1z.a -je29 je28.a -je2i je2h.a -je2r je2q.a -je30 je2z.a -je39 je38.a -je3i je3h.a -je3r je3q.a -je40 je3z.a -je49
je48.a -lbxr 1xt8 je4h.a -je4r je4q.a -je50 je4z.a -je59 je58.a -je5i je5h.a -je5r je5q.a -je60 je5z.a -je69 je68.a
-je6i je6h.a -je6r je6q.a -lc0i 1xth je6z.a -je79 je78.a -je7i je7h.a -je7r je7q.a -je80 je7z.a -je89 je88.a -je8i
je8h.a -je8r je8q.a -je90 je8z.a -je99 je98.a -lc39 1xtq je9h.a -je9r je9q.a -jea0 je9z.a -jea9 jea8.a -jeai jeah.a
-jear jeaq.a -jeb0 jeaz.a -jeb9 jeb8.a -jebi jebh.a -jebr jebq.a -lc60 1xtz jebz.a -jec9 jec8.a -jeci jech.a -jecr
jecq.a -jed0 jecz.a -jed9 jed8.a -jedi jedh.a -jedr jedq.a -jee0 jedz.a -jee9 jee8.a -lc8r 1xu8 jeeh.a -jeer jeeq.a
-jef0 jeez.a -jef9 jef8.a -jefi jefh.a -jefr jefq.a -jeg0 jefz.a -jeg9 jeg8.a -jegi jegh.a -jegr jegq.a -lcbi 1xuh
jegz.a -jeh9 jeh8.a -jehi jehh.a -jehr jehq.a -jei0 jehz.a -jei9 jei8.a -jeii jeih.a -jeir jeiq.a -jej0 jeiz.a -jej9
jej8.a -lce9 1xuq jejh.a -jejr jejq.a -jek0 jejz.a -jek9 jek8.a -jeki jekh.a -jekr jekq.a -jel0 jekz.a -jel9 jel8.a
-jeli jelh.a -jelr jelq.a -ljgi 6zh 1xuz jelz.a -jem9 jem8.a -jemi jemh.a -jemr jemq.a -jen0 jemz.a -jen9 jen8.a -jeni
jenh.a -jenr jenq.a -jeo0 jenz.a -jeo9 jeo8.a -lcjr 1xv8 jeoh.a -jeor jeoq.a -jep0 jeoz.a -jep9 jep8.a -jepi jeph.a
-jepr jepq.a -jeq0 jepz.a -jeq9 jeq8.a -jeqi jeqh.a -jeqr jeqq.a -lcmi 1xvh jeqz.a -jer9 jer8.a -jeri jerh.a -jerr
jerq.a -jes0 jerz.a -jes9 jes8.a -jesi jesh.a -jesr jesq.a -jet0 jesz.a -jet9 jet8.a -lcp9 1xvq jeth.a -jetr jetq.a
-jeu0 jetz.a -jeu9 jeu8.a -jeui jeuh.a -jeur jeuq.a -jev0 jeuz.a -jev9 jev8.a -jevi jevh.a -jevr jevq.a -lcs0 1xvz
jevz.a -jew9 jew8.a -jewi jewh.a -jewr jewq.a -jex0 jewz.a -jex9 jex8.a -jexi jexh.a -jexr jexq.a -jey0 jexz.a -jey9
jey8.a -lcur 1xw8 jeyh.a -jeyr jeyq.a -jez0 jeyz.a -jez9 jez8.a -jezi jezh.a -jezr jezq.a -jf00 jezz.a -jf09 jf08.a
-jf0i jf0h.a -jf0r jf0q.a -lcxi 1xwh jf0z.a -jf19 jf18.a -jf1i jf1h.a -jf1r jf1q.a -jf20 jf1z.a -jf29 jf28.a -jf2i
jf2h.a -jf2r jf2q.a -jf30 jf2z.a -jf39 jf38.a -ld09 1xwq jf3h.a -jf3r jf3q.a -jf40 jf3z.a -jf49 jf48.a -jf4i jf4h.a
-jf4r jf4q.a -jf50 jf4z.a -jf59 jf58.a -jf5i jf5h.a -jf5r jf5q.a -ld30 1xwz jf5z.a -jf69 jf68.a -jf6i jf6h.a -jf6r
jf6q.a -jf70 jf6z.a -jf79 jf78.a -jf7i jf7h.a -jf7r jf7q.a -jf80 jf7z.a -jf89 jf88.a -ld5r 1xx8 jf8h.a -jf8r jf8q.a
-jf90 jf8z.a -jf99 jf98.a -jf9i jf9h.a -jf9r jf9q.a -jfa0 jf9z.a -jfa9 jfa8.a -jfai jfah.a -jfar jfaq.a -lk89 6zq 1xxh
jfaz.a -jfb9 jfb8.a -jfbi jfbh.a -jfbr jfbq.a -jfc0 jfbz.a -jfc9 jfc8.a -jfci jfch.a -jfcr jfcq.a -jfd0 jfcz.a -jfd9
jfd8.a -ldb9 1xxq jfdh.a -jfdr jfdq.a -jfe0 jfdz.a -jfe9 jfe8.a -jfei jfeh.a -jfer jfeq.a -jff0 jfez.a -jff9 jff8.a
-jffi jffh.a -jffr jffq.a -lde0 1xxz jffz.a -jfg9 jfg8.a -jfgi jfgh.a -jfgr jfgq.a -jfh0 jfgz.a -jfh9 jfh8.a -jfhi
jfhh.a -jfhr jfhq.a -jfi0 jfhz.a -jfi9 jfi8.a -ldgr 1xy8 jfih.a -jfir jfiq.a -jfj0 jfiz.a -jfj9 jfj8.a -jfji jfjh.a
-jfjr jfjq.a -jfk0 jfjz.a -jfk9 jfk8.a -jfki jfkh.a -jfkr jfkq.a -ldji 1xyh jfkz.a -jfl9 jfl8.a -jfli jflh.a -jflr
jflq.a -jfm0 jflz.a -jfm9 jfm8.a -jfmi jfmh.a -jfmr jfmq.a -jfn0 jfmz.a -jfn9 jfn8.a -ldm9 1xyq jfnh.a -jfnr jfnq.a
-jfo0 jfnz.a -jfo9 jfo8.a -jfoi jfoh.a -jfor jfoq.a -jfp0 jfoz.a -jfp9 jfp8.a -jfpi jfph.a -jfpr jfpq.a -ldp0 1xyz
jfpz.a -jfq9 jfq8.a -jfqi jfqh.a -jfqr jfqq.a -jfr0 jfqz.a -jfr9 jfr8.a -jfri jfrh.a -jfrr jfrq.a -jfs0 jfrz.a -jfs9
jfs8.a -ldrr 1xz8 jfsh.a -jfsr jfsq.a -jft0 jfsz.a -jft9 jft8.a -jfti jfth.a -jftr jftq.a -jfu0 jftz.a -jfu9 jfu8.a
-jfui jfuh.a -jfur jfuq.a -ldui 1xzh jfuz.a -jfv9 jfv8.a -jfvi jfvh.a -jfvr jfvq.a -jfw0 jfvz.a -jfw9 jfw8.a -jfwi
jfwh.a -jfwr jfwq.a -jfx0 jfwz.a -jfx9 jfx8.a -ldx9 1xzq jfxh.a -jfxr jfxq.a -jfy0 jfxz.a -jfy9 jfy8.a -jfyi jfyh.a
-jfyr jfyq.a -jfz0 jfyz.a -jfz9 jfz8.a -jfzi jfzh.a -jfzr jfzq.a -ll00 6zz 1xzz jfzz.a -jg09 jg08.a -jg0i jg0h.a -jg0r
jg0q.a -jg10 jg0z.a -jg19 jg18.a -jg1i jg1h.a -jg1r jg1q.a -jg20 jg1z.a -jg29 jg28.a -le2r 1y08 jg2h.a -jg2r jg2q.a
-jg30 jg2z.a -jg39 jg38.a -jg3i jg3h.a -jg3r jg3q.a -jg40 jg3z.a -jg49 jg48.a -jg4i jg4h.a -jg4r jg4q.a -le5i 1y0h
jg4z.a -jg59 jg58.a -jg5i jg5h.a -jg5r jg5q.a -jg60 jg5z.a -jg69 jg68.a -jg6i jg6h.a -jg6r jg6q.a -jg70 jg6z.a -jg79
jg78.a -le89 1y0q jg7h.a -jg7r jg7q.a -jg80 jg7z.a -jg89 jg88.a -jg8i jg8h.a -jg8r jg8q.a -jg90 jg8z.a -jg99 jg98.a
-jg9i jg9h.a -jg9r jg9q.a -leb0 1y0z jg9z.a -jga9 jga8.a -jgai jgah.a -jgar jgaq.a -jgb0 jgaz.a -jgb9 jgb8.a -jgbi
jgbh.a -jgbr jgbq.a -jgc0 jgbz.a -jgc9 jgc8.a -ledr 1y18 jgch.a -jgcr jgcq.a -jgd0 jgcz.a -jgd9 jgd8.a -jgdi jgdh.a
-jgdr jgdq.a -jge0 jgdz.a -jge9 jge8.a -jgei jgeh.a -jger jgeq.a -legi 1y1h jgez.a -jgf9 jgf8.a -jgfi jgfh.a -jgfr
jgfq.a -jgg0 jgfz.a -jgg9 jgg8.a -jggi jggh.a -jggr jggq.a -jgh0 jggz.a -jgh9 jgh8.a -lej9 1y1q jghh.a -jghr jghq.a
-jgi0 jghz.a -jgi9 jgi8.a -jgii jgih.a -jgir jgiq.a -jgj0 jgiz.a -jgj9 jgj8.a -jgji jgjh.a -jgjr jgjq.a -lem0 1y1z
jgjz.a -jgk9 jgk8.a -jgki jgkh.a -jgkr jgkq.a -jgl0 jgkz.a -jgl9 jgl8.a -jgli jglh.a -jglr jglq.a -jgm0 jglz.a -jgm9
jgm8.a -leor 1y28 jgmh.a -jgmr jgmq.a -jgn0 jgmz.a -jgn9 jgn8.a -jgni jgnh.a -jgnr jgnq.a -jgo0 jgnz.a -jgo9 jgo8.a
-jgoi jgoh.a -jgor jgoq.a -llrr 708 1y2h jgoz.a -jgp9 jgp8.a -jgpi jgph.a -jgpr jgpq.a -jgq0 jgpz.a -jgq9 jgq8.a -jgqi
jgqh.a -jgqr jgqq.a -jgr0 jgqz.a -jgr9 jgr8.a -leu9 1y2q jgrh.a -jgrr jgrq.a -jgs0 jgrz.a -jgs9 jgs8.a -jgsi jgsh.a
-jgsr jgsq.a -jgt0 jgsz.a -jgt9 jgt8.a -jgti jgth.a -jgtr jgtq.a -lex0 1y2z jgtz.a -jgu9 jgu8.a -jgui jguh.a -jgur
jguq.a -jgv0 jguz.a -jgv9 jgv8.a -jgvi jgvh.a -jgvr jgvq.a -jgw0 jgvz.a -jgw9 jgw8.a -lezr 1y38 jgwh.a -jgwr jgwq.a
-jgx0 jgwz.a -jgx9 jgx8.a -jgxi jgxh.a -jgxr jgxq.a -jgy0 jgxz.a -jgy9 jgy8.a -jgyi jgyh.a -jgyr jgyq.a -lf2i 1y3h
jgyz.a -jgz9 jgz8.a -jgzi jgzh.a -jgzr jgzq.a -jh00 jgzz.a -jh09 jh08.a -jh0i jh0h.a -jh0r jh0q.a -jh10 jh0z.a -jh19
jh18.a -lf59 1y3q jh1h.a -jh1r jh1q.a -jh20 jh1z.a -jh29 jh28.a -jh2i jh2h.a -jh2r jh2q.a -jh30 jh2z.a -jh39 jh38.a
-jh3i jh3h.a -jh3r jh3q.a -lf80 1y3z jh3z.a -jh49 jh48.a -jh4i jh4h.a -jh4r jh4q.a -jh50 jh4z.a -jh59 jh58.a -jh5i
jh5h.a -jh5r jh5q.a -jh60 jh5z.a -jh69 jh68.a -lfar 1y48 jh6h.a -jh6r jh6q.a -jh70 jh6z.a -jh79 jh78.a -jh7i jh7h.a
-jh7r jh7q.a -jh80 jh7z.a -jh89 jh88.a -jh8i jh8h.a -jh8r jh8q.a -lfdi 1y4h jh8z.a -jh99 jh98.a -jh9i jh9h.a -jh9r
jh9q.a -jha0 jh9z.a -jha9 jha8.a -jhai jhah.a -jhar jhaq.a -jhb0 jhaz.a -jhb9 jhb8.a -lfg9 1y4q jhbh.a -jhbr jhbq.a
-jhc0 jhbz.a -jhc9 jhc8.a -jhci jhch.a -jhcr jhcq.a -jhd0 jhcz.a -jhd9 jhd8.a -jhdi jhdh.a -jhdr jhdq.a -ln8r p8 70h
1y4z jhdz.a -jhe9 jhe8.a -jhei jheh.a -jher jheq.a -jhf0 jhez.a -jhf9 jhf8.a -jhfi jhfh.a -jhfr jhfq.a -jhg0 jhfz.a
-jhg9 jhg8.a -lflr 1y58 jhgh.a -jhgr jhgq.a -jhh0 jhgz.a -jhh9 jhh8.a -jhhi jhhh.a -jhhr jhhq.a -jhi0 jhhz.a -jhi9
jhi8.a -jhii jhih.a -jhir jhiq.a -lfoi 1y5h jhiz.a -jhj9 jhj8.a -jhji jhjh.a -jhjr jhjq.a -jhk0 jhjz.a -jhk9 jhk8.a
-jhki jhkh.a -jhkr jhkq.a -jhl0 jhkz.a -jhl9 jhl8.a -lfr9 1y5q jhlh.a -jhlr jhlq.a -jhm0 jhlz.a -jhm9 jhm8.a -jhmi
jhmh.a -jhmr jhmq.a -jhn0 jhmz.a -jhn9 jhn8.a -jhni jhnh.a -jhnr jhnq.a -lfu0 1y5z jhnz.a -jho9 jho8.a -jhoi jhoh.a
-jhor jhoq.a -jhp0 jhoz.a -jhp9 jhp8.a -jhpi jhph.a -jhpr jhpq.a -jhq0 jhpz.a -jhq9 jhq8.a -lfwr 1y68 jhqh.a -jhqr
jhqq.a -jhr0 jhqz.a -jhr9 jhr8.a -jhri jhrh.a -jhrr jhrq.a -jhs0 jhrz.a -jhs9 jhs8.a -jhsi jhsh.a -jhsr jhsq.a -lfzi
1y6h jhsz.a -jht9 jht8.a -jhti jhth.a -jhtr jhtq.a -jhu0 jhtz.a -jhu9 jhu8.a -jhui jhuh.a -jhur jhuq.a -jhv0 jhuz.a
-jhv9 jhv8.a -lg29 1y6q jhvh.a -jhvr jhvq.a -jhw0 jhvz.a -jhw9 jhw8.a -jhwi jhwh.a -jhwr jhwq.a -jhx0 jhwz.a -jhx9
jhx8.a -jhxi jhxh.a -jhxr jhxq.a -lg50 1y6z jhxz.a -jhy9 jhy8.a -jhyi jhyh.a -jhyr jhyq.a -jhz0 jhyz.a -jhz9 jhz8.a
-jhzi jhzh.a -jhzr jhzq.a -ji00 jhzz.a -ji09 ji08.a -lg7r 1y78 ji0h.a -ji0r ji0q.a -ji10 ji0z.a -ji19 ji18.a -ji1i
ji1h.a -ji1r ji1q.a -ji20 ji1z.a -ji29 ji28.a -ji2i ji2h.a -ji2r ji2q.a -lnb9 70q 1y7h ji2z.a -ji39 ji38.a -ji3i
ji3h.a -ji3r ji3q.a -ji40 ji3z.a -ji49 ji48.a -ji4i ji4h.a -ji4r ji4q.a -ji50 ji4z.a -ji59 ji58.a -lgd9 1y7q ji5h.a
-ji5r ji5q.a -ji60 ji5z.a -ji69 ji68.a -ji6i ji6h.a -ji6r ji6q.a -ji70 ji6z.a -ji79 ji78.a -ji7i ji7h.a -ji7r ji7q.a
-lgg0 1y7z ji7z.a -ji89 ji88.a -ji8i ji8h.a -ji8r ji8q.a -ji90 ji8z.a -ji99 ji98.a -ji9i ji9h.a -ji9r ji9q.a -jia0
ji9z.a -jia9 jia8.a -lgir 1y88 jiah.a -jiar jiaq.a -jib0 jiaz.a -jib9 jib8.a -jibi jibh.a -jibr jibq.a -jic0 jibz.a
-jic9 jic8.a -jici jich.a -jicr jicq.a -lgli 1y8h jicz.a -jid9 jid8.a -jidi jidh.a -jidr jidq.a -jie0 jidz.a -jie9
jie8.a -jiei jieh.a -jier jieq.a -jif0 jiez.a -jif9 jif8.a -lgo9 1y8q jifh.a -jifr jifq.a -jig0 jifz.a -jig9 jig8.a
-jigi jigh.a -jigr jigq.a -jih0 jigz.a -jih9 jih8.a -jihi jihh.a -jihr jihq.a -lgr0 1y8z jihz.a -jii9 jii8.a -jiii
jiih.a -jiir jiiq.a -jij0 jiiz.a -jij9 jij8.a -jiji jijh.a -jijr jijq.a -jik0 jijz.a -jik9 jik8.a -lgtr 1y98 jikh.a
-jikr jikq.a -jil0 jikz.a -jil9 jil8.a -jili jilh.a -jilr jilq.a -jim0 jilz.a -jim9 jim8.a -jimi jimh.a -jimr jimq.a
-lgwi 1y9h jimz.a -jin9 jin8.a -jini jinh.a -jinr jinq.a -jio0 jinz.a -jio9 jio8.a -jioi jioh.a -jior jioq.a -jip0
jioz.a -jip9 jip8.a -lgz9 1y9q jiph.a -jipr jipq.a -jiq0 jipz.a -jiq9 jiq8.a -jiqi jiqh.a -jiqr jiqq.a -jir0 jiqz.a
-jir9 jir8.a -jiri jirh.a -jirr jirq.a -lo30 70z 1y9z jirz.a -jis9 jis8.a -jisi jish.a -jisr jisq.a -jit0 jisz.a -jit9
jit8.a -jiti jith.a -jitr jitq.a -jiu0 jitz.a -jiu9 jiu8.a -lh4r 1ya8 jiuh.a -jiur jiuq.a -jiv0 jiuz.a -jiv9 jiv8.a
-jivi jivh.a -jivr jivq.a -jiw0 jivz.a -jiw9 jiw8.a -jiwi jiwh.a -jiwr jiwq.a -lh7i 1yah jiwz.a -jix9 jix8.a -jixi
jixh.a -jixr jixq.a -jiy0 jixz.a -jiy9 jiy8.a -jiyi jiyh.a -jiyr jiyq.a -jiz0 jiyz.a -jiz9 jiz8.a -lha9 1yaq jizh.a
-jizr jizq.a -jj00 jizz.a -jj09 jj08.a -jj0i jj0h.a -jj0r jj0q.a -jj10 jj0z.a -jj19 jj18.a -jj1i jj1h.a -jj1r jj1q.a
-lhd0 1yaz jj1z.a -jj29 jj28.a -jj2i jj2h.a -jj2r jj2q.a -jj30 jj2z.a -jj39 jj38.a -jj3i jj3h.a -jj3r jj3q.a -jj40
jj3z.a -jj49 jj48.a -lhfr 1yb8 jj4h.a -jj4r jj4q.a -jj50 jj4z.a -jj59 jj58.a -jj5i jj5h.a -jj5r jj5q.a -jj60 jj5z.a
-jj69 jj68.a -jj6i jj6h.a -jj6r jj6q.a -lhii 1ybh jj6z.a -jj79 jj78.a -jj7i jj7h.a -jj7r jj7q.a -jj80 jj7z.a -jj89
jj88.a -jj8i jj8h.a -jj8r jj8q.a -jj90 jj8z.a -jj99 jj98.a -lhl9 1ybq jj9h.a -jj9r jj9q.a -jja0 jj9z.a -jja9 jja8.a
-jjai jjah.a -jjar jjaq.a -jjb0 jjaz.a -jjb9 jjb8.a -jjbi jjbh.a -jjbr jjbq.a -lho0 1ybz jjbz.a -jjc9 jjc8.a -jjci
jjch.a -jjcr jjcq.a -jjd0 jjcz.a -jjd9 jjd8.a -jjdi jjdh.a -jjdr jjdq.a -jje0 jjdz.a -jje9 jje8.a -lhqr 1yc8 jjeh.a
-jjer jjeq.a -jjf0 jjez.a -jjf9 jjf8.a -jjfi jjfh.a -jjfr jjfq.a -jjg0 jjfz.a -jjg9 jjg8.a -jjgi jjgh.a -jjgr jjgq.a
-lour 718 1ych jjgz.a -jjh9 jjh8.a -jjhi jjhh.a -jjhr jjhq.a -jji0 jjhz.a -jji9 jji8.a -jjii jjih.a -jjir jjiq.a -jjj0
jjiz.a -jjj9 jjj8.a -lhw9 1ycq jjjh.a -jjjr jjjq.a -jjk0 jjjz.a -jjk9 jjk8.a -jjki jjkh.a -jjkr jjkq.a -jjl0 jjkz.a
-jjl9 jjl8.a -jjli jjlh.a -jjlr jjlq.a -lhz0 1ycz jjlz.a -jjm9 jjm8.a -jjmi jjmh.a -jjmr jjmq.a -jjn0 jjmz.a -jjn9
jjn8.a -jjni jjnh.a -jjnr jjnq.a -jjo0 jjnz.a -jjo9 jjo8.a -li1r 1yd8 jjoh.a -jjor jjoq.a -jjp0 jjoz.a -jjp9 jjp8.a
-jjpi jjph.a -jjpr jjpq.a -jjq0 jjpz.a -jjq9 jjq8.a -jjqi jjqh.a -jjqr jjqq.a -li4i 1ydh jjqz.a -jjr9 jjr8.a -jjri
jjrh.a -jjrr jjrq.a -jjs0 jjrz.a -jjs9 jjs8.a -jjsi jjsh.a -jjsr jjsq.a -jjt0 jjsz.a -jjt9 jjt8.a -li79 1ydq jjth.a
-jjtr jjtq.a -jju0 jjtz.a -jju9 jju8.a -jjui jjuh.a -jjur jjuq.a -jjv0 jjuz.a -jjv9 jjv8.a -jjvi jjvh.a -jjvr jjvq.a
-lia0 1ydz jjvz.a -jjw9 jjw8.a -jjwi jjwh.a -jjwr jjwq.a -jjx0 jjwz.a -jjx9 jjx8.a -jjxi jjxh.a -jjxr jjxq.a -jjy0
jjxz.a -jjy9 jjy8.a -licr 1ye8 jjyh.a -jjyr jjyq.a -jjz0 jjyz.a -jjz9 jjz8.a -jjzi jjzh.a -jjzr jjzq.a -jk00 jjzz.a
-jk09 jk08.a -jk0i jk0h.a -jk0r jk0q.a -lifi 1yeh jk0z.a -jk19 jk18.a -jk1i jk1h.a -jk1r jk1q.a -jk20 jk1z.a -jk29
jk28.a -jk2i jk2h.a -jk2r jk2q.a -jk30 jk2z.a -jk39 jk38.a -lii9 1yeq jk3h.a -jk3r jk3q.a -jk40 jk3z.a -jk49 jk48.a
-jk4i jk4h.a -jk4r jk4q.a -jk50 jk4z.a -jk59 jk58.a -jk5i jk5h.a -jk5r jk5q.a -lpmi 71h 1yez jk5z.a -jk69 jk68.a -jk6i
jk6h.a -jk6r jk6q.a -jk70 jk6z.a -jk79 jk78.a -jk7i jk7h.a -jk7r jk7q.a -jk80 jk7z.a -jk89 jk88.a -linr 1yf8 jk8h.a
-jk8r jk8q.a -jk90 jk8z.a -jk99 jk98.a -jk9i jk9h.a -jk9r jk9q.a -jka0 jk9z.a -jka9 jka8.a -jkai jkah.a -jkar jkaq.a
-liqi 1yfh jkaz.a -jkb9 jkb8.a -jkbi jkbh.a -jkbr jkbq.a -jkc0 jkbz.a -jkc9 jkc8.a -jkci jkch.a -jkcr jkcq.a -jkd0
jkcz.a -jkd9 jkd8.a -lit9 1yfq jkdh.a -jkdr jkdq.a -jke0 jkdz.a -jke9 jke8.a -jkei jkeh.a -jker jkeq.a -jkf0 jkez.a
-jkf9 jkf8.a -jkfi jkfh.a -jkfr jkfq.a -liw0 1yfz jkfz.a -jkg9 jkg8.a -jkgi jkgh.a -jkgr jkgq.a -jkh0 jkgz.a -jkh9
jkh8.a -jkhi jkhh.a -jkhr jkhq.a -jki0 jkhz.a -jki9 jki8.a -liyr 1yg8 jkih.a -jkir jkiq.a -jkj0 jkiz.a -jkj9 jkj8.a
-jkji jkjh.a -jkjr jkjq.a -jkk0 jkjz.a -jkk9 jkk8.a -jkki jkkh.a -jkkr jkkq.a -lj1i 1ygh jkkz.a -jkl9 jkl8.a -jkli
jklh.a -jklr jklq.a -jkm0 jklz.a -jkm9 jkm8.a -jkmi jkmh.a -jkmr jkmq.a -jkn0 jkmz.a -jkn9 jkn8.a -lj49 1ygq jknh.a
-jknr jknq.a -jko0 jknz.a -jko9 jko8.a -jkoi jkoh.a -jkor jkoq.a -jkp0 jkoz.a -jkp9 jkp8.a -jkpi jkph.a -jkpr jkpq.a
-lj70 1ygz jkpz.a -jkq9 jkq8.a -jkqi jkqh.a -jkqr jkqq.a -jkr0 jkqz.a -jkr9 jkr8.a -jkri jkrh.a -jkrr jkrq.a -jks0
jkrz.a -jks9 jks8.a -lj9r 1yh8 jksh.a -jksr jksq.a -jkt0 jksz.a -jkt9 jkt8.a -jkti jkth.a -jktr jktq.a -jku0 jktz.a
-jku9 jku8.a -jkui jkuh.a -jkur jkuq.a -lqe9 71q 1yhh jkuz.a -jkv9 jkv8.a -jkvi jkvh.a -jkvr jkvq.a -jkw0 jkvz.a -jkw9
jkw8.a -jkwi jkwh.a -jkwr jkwq.a -jkx0 jkwz.a -jkx9 jkx8.a -ljf9 1yhq jkxh.a -jkxr jkxq.a -jky0 jkxz.a -jky9 jky8.a
-jkyi jkyh.a -jkyr jkyq.a -jkz0 jkyz.a -jkz9 jkz8.a -jkzi jkzh.a -jkzr jkzq.a -lji0 1yhz jkzz.a -jl09 jl08.a -jl0i
jl0h.a -jl0r jl0q.a -jl10 jl0z.a -jl19 jl18.a -jl1i jl1h.a -jl1r jl1q.a -jl20 jl1z.a -jl29 jl28.a -ljkr 1yi8 jl2h.a
-jl2r jl2q.a -jl30 jl2z.a -jl39 jl38.a -jl3i jl3h.a -jl3r jl3q.a -jl40 jl3z.a -jl49 jl48.a -jl4i jl4h.a -jl4r jl4q.a
-ljni 1yih jl4z.a -jl59 jl58.a -jl5i jl5h.a -jl5r jl5q.a -jl60 jl5z.a -jl69 jl68.a -jl6i jl6h.a -jl6r jl6q.a -jl70
jl6z.a -jl79 jl78.a -ljq9 1yiq jl7h.a -jl7r jl7q.a -jl80 jl7z.a -jl89 jl88.a -jl8i jl8h.a -jl8r jl8q.a -jl90 jl8z.a
-jl99 jl98.a -jl9i jl9h.a -jl9r jl9q.a -ljt0 1yiz jl9z.a -jla9 jla8.a -jlai jlah.a -jlar jlaq.a -jlb0 jlaz.a -jlb9
jlb8.a -jlbi jlbh.a -jlbr jlbq.a -jlc0 jlbz.a -jlc9 jlc8.a -ljvr 1yj8 jlch.a -jlcr jlcq.a -jld0 jlcz.a -jld9 jld8.a
-jldi jldh.a -jldr jldq.a -jle0 jldz.a -jle9 jle8.a -jlei jleh.a -jler jleq.a -ljyi 1yjh jlez.a -jlf9 jlf8.a -jlfi
jlfh.a -jlfr jlfq.a -jlg0 jlfz.a -jlg9 jlg8.a -jlgi jlgh.a -jlgr jlgq.a -jlh0 jlgz.a -jlh9 jlh8.a -lk19 lk18.2s -lr60
71z lk3z.2s -lk6r lk6q.2s -lk9i lk9h.2s -lkc9 lkc8.k -jls0 jlrz.a -jls9 jls8.a -jlsi jlsh.a -jlsr jlsq.a -jlt0 jlsz.a
-jlt9 jlt8.a -jlti jlth.a -jltr jltq.a -lkf0 1ykz jltz.2s -lkhr lkhq.2s -lkki lkkh.2s -lkn9 lkn8.2s -lkq0 lkpz.2s
-lksr lksq.2s -lrxr 728 lkvh.2s -lky9 lky8.2s -ll10 ll0z.2s -ll3r ll3q.2s -ll6i ll6h.2s -ll99 ll98.2s -llc0 llbz.2s
-ller lleq.2s -llhi llhh.2s -llk9 llk8.2s -lspi 72h llmz.2s -llpr llpq.2s -llsi llsh.2s -llv9 llv8.2s -lly0 llxz.2s
-lm0r lm0q.2s -lm3i lm3h.2s -lm69 lm68.2s -lm90 lm8z.2s -lmbr lmbq.2s -lth9 72q lmeh.2s -lmh9 lmh8.2s -lmk0 lmjz.2s
-lmmr lmmq.2s -lmpi lmph.2s -lms9 lms8.2s -lmv0 lmuz.2s -lmxr lmxq.2s -ln0i ln0h.2s -ln39 ln38.2s -luyi ph 72z ln5z.2s
-ln8r ln8q.2s -lnbi lnbh.2s -lne9 lne8.2s -lnh0 lngz.2s -lnjr lnjq.2s -lnmi lnmh.2s -lnp9 lnp8.2s -lns0 lnrz.2s -lnur
lnuq.2s -lv0r 738 lnxh.2s -lo09 lo08.2s -lo30 lo2z.2s -lo5r lo5q.2s -lo8i lo8h.2s -lob9 lob8.2s -loe0 lodz.2s -logr
logq.2s -loji lojh.2s -lom9 lom8.2s -lvsi 73h looz.2s -lorr lorq.2s -loui louh.2s -lox9 lox8.2s -lp00 lozz.2s -lp2r
lp2q.2s -lp5i lp5h.2s -lp89 lp88.2s -lpb0 lpaz.2s -lpdr lpdq.2s -lwk9 73q lpgh.2s -lpj9 lpj8.2s -lpm0 lplz.2s -lpor
lpoq.2s -lpri lprh.2s -lpu9 lpu8.2s -lpx0 lpwz.2s -lpzr lpzq.2s -lq2i lq2h.2s -lq59 lq58.2s -lxc0 73z lq7z.2s -lqar
lqaq.2s -lqdi lqdh.2s -lqg9 lqg8.2s -lqj0 lqiz.2s -lqlr lqlq.2s -lqoi lqoh.2s -lqr9 lqr8.2s -lqu0 lqtz.2s -lqwr
lqwq.2s -ly3r 748 lqzh.2s -lr29 lr28.2s -lr50 lr4z.2s -lr7r lr7q.2s -lrai lrah.2s -lrd9 lrd8.2s -lrg0 lrfz.2s -lrir
lriq.2s -lrli lrlh.2s -lro9 lro8.2s -lyvi 74h lrqz.2s -lrtr lrtq.2s -lrwi lrwh.2s -lrz9 lrz8.2s -ls20 ls1z.2s -ls4r
ls4q.2s -ls7i ls7h.2s -lsa9 lsa8.2s -lsd0 lscz.2s -lsfr lsfq.2s -lzn9 74q lsih.2s -lsl9 lsl8.2s -lso0 lsnz.2s -lsqr
lsqq.2s -lsti lsth.2s -lsw9 lsw8.2s -lsz0 lsyz.2s -lt1r lt1q.2s -lt4i lt4h.2s -lt79 lt78.2s -m0f0 74z lt9z.2s -ltcr
ltcq.2s -ltfi ltfh.2s -lti9 lti8.2s -ltl0 ltkz.2s -ltnr ltnq.2s -ltqi ltqh.2s -ltt9 ltt8.2s -ltw0 ltvz.2s -ltyr
ltyq.2s -m16r 758 lu1h.2s -lu49 lu48.2s -lu70 lu6z.2s -lu9r lu9q.2s -luci luch.2s -luf9 luf8.2s -lui0 luhz.2s -lukr
lukq.2s -luni lunh.2s -luq9 luq8.2s -m2o9 pq 75h lusz.2s -luvr luvq.2s -luyi luyh.2s -lv19 lv18.2s -lv40 lv3z.2s -lv6r
lv6q.2s -lv9i lv9h.2s -lvc9 lvc8.2s -lvf0 lvez.2s -lvhr lvhq.2s -m2q9 75q lvkh.2s -lvn9 lvn8.2s -lvq0 lvpz.2s -lvsr
lvsq.2s -lvvi lvvh.2s -lvy9 lvy8.2s -lw10 lw0z.2s -lw3r lw3q.2s -lw6i lw6h.2s -lw99 lw98.2s -m3i0 75z lwbz.2s -lwer
lweq.2s -lwhi lwhh.2s -lwk9 lwk8.2s -lwn0 lwmz.2s -lwpr lwpq.2s -lwsi lwsh.2s -lwv9 lwv8.2s -lwy0 lwxz.2s -lx0r
lx0q.2s -m49r 768 lx3h.2s -lx69 lx68.2s -lx90 lx8z.2s -lxbr lxbq.2s -lxei lxeh.2s -lxh9 lxh8.2s -lxk0 lxjz.2s -lxmr
lxmq.2s -lxpi lxph.2s -lxs9 lxs8.2s -m51i 76h lxuz.2s -lxxr lxxq.2s -ly0i ly0h.2s -ly39 ly38.2s -ly60 ly5z.2s -ly8r
ly8q.2s -lybi lybh.2s -lye9 lye8.2s -lyh0 lygz.2s -lyjr lyjq.2s -m5t9 76q lymh.2s -lyp9 lyp8.2s -lys0 lyrz.2s -lyur
lyuq.2s -lyxi lyxh.2s -lz09 lz08.2s -lz30 lz2z.2s -lz5r lz5q.2s -lz8i lz8h.2s -lzb9 lzb8.2s -m6l0 76z lzdz.2s -lzgr
lzgq.2s -lzji lzjh.2s -lzm9 lzm8.2s -lzp0 lzoz.2s -lzrr lzrq.2s -lzui lzuh.2s -lzx9 lzx8.2s -m000 lzzz.2s -m02r
m02q.2s -m7cr 778 m05h.2s -m089 m088.2s -m0b0 m0az.2s -m0dr m0dq.2s -m0gi m0gh.2s -m0j9 m0j8.2s -m0m0 m0lz.2s -m0or
m0oq.2s -m0ri m0rh.2s -m0u9 m0u8.2s -m84i 77h m0wz.2s -m0zr m0zq.2s -m12i m12h.2s -m159 m158.2s -m180 m17z.2s -m1ar
m1aq.2s -m1di m1dh.2s -m1g9 m1g8.2s -m1j0 m1iz.2s -m1lr m1lq.2s -m8w9 77q m1oh.2s -m1r9 m1r8.2s -m1u0 m1tz.2s -m1wr
m1wq.2s -m1zi m1zh.2s -m229 m228.2s -m250 m24z.2s -m27r m27q.2s -m2ai m2ah.2s -m2d9 m2d8.2s -mae0 pz 77z m2fz.2s -m2ir
m2iq.2s -m2li m2lh.2s -m2o9 m2o8.2s -m2r0 m2qz.2s -m2tr m2tq.2s -m2wi m2wh.2s -m2z9 m2z8.2s -m320 m31z.2s -m34r
m34q.2s -mafr 788 m37h.2s -m3a9 m3a8.2s -m3d0 m3cz.2s -m3fr m3fq.2s -m3ii m3ih.2s -m3l9 m3l8.2s -m3o0 m3nz.2s -m3qr
m3qq.2s -m3ti m3th.2s -m3w9 m3w8.2s -mb7i 78h m3yz.2s -m41r m41q.2s -m44i m44h.2s -m479 m478.2s -m4a0 m49z.2s -m4cr
m4cq.2s -m4fi m4fh.2s -m4i9 m4i8.2s -m4l0 m4kz.2s -m4nr m4nq.2s -mbz9 78q m4qh.2s -m4t9 m4t8.2s -m4w0 m4vz.2s -m4yr
m4yq.2s -m51i m51h.2s -m549 m548.2s -m570 m56z.2s -m59r m59q.2s -m5ci m5ch.2s -m5f9 m5f8.2s -mcr0 78z m5hz.2s -m5kr
m5kq.2s -m5ni m5nh.2s -m5q9 m5q8.2s -m5t0 m5sz.2s -m5vr m5vq.2s -m5yi m5yh.2s -m619 m618.2s -m640 m63z.2s -m66r
m66q.2s -mdir 798 m69h.2s -m6c9 m6c8.2s -m6f0 m6ez.2s -m6hr m6hq.2s -m6ki m6kh.2s -m6n9 m6n8.2s -m6q0 m6pz.2s -m6sr
m6sq.2s -m6vi m6vh.2s -m6y9 m6y8.2s -meai 79h m70z.2s -m73r m73q.2s -m76i m76h.2s -m799 m798.2s -m7c0 m7bz.2s -m7er
m7eq.2s -m7hi m7hh.2s -m7k9 m7k8.2s -m7n0 m7mz.2s -m7pr m7pq.2s -mf29 79q m7sh.2s -m7v9 m7v8.2s -m7y0 m7xz.2s -m80r
m80q.2s -m83i m83h.2s -m869 m868.2s -m890 m88z.2s -m8br m8bq.2s -m8ei m8eh.2s -m8h9 m8h8.2s -mfu0 79z m8jz.2s -m8mr
m8mq.2s -m8pi m8ph.2s -m8s9 m8s8.2s -m8v0 m8uz.2s -m8xr m8xq.22 2.o -m90i m90h.2s -m939 m938.2s -m960 m95z.2s -m98r
m98q.2s -mglr 7a8 m9bh.2s -m9e9 m9e8.2s -m9h0 m9gz.2s -m9jr m9jq.2s -m9mi m9mh.2s -m9p9 m9p8.2s -m9s0 m9rz.2s -m9ur
m9uq.2s -m9xi m9xh.2s -ma09 ma08.2s -mi3r q8 7ah ma2z.2s -ma5r ma5q.2s -ma8i ma8h.2s -mab9 mab8.2s -mae0 madz.2s -magr
magq.2s -maji majh.2s -mam9 mam8.2s -map0 maoz.2s -marr marq.2s -mi59 7aq mauh.2s -max9 max8.2s -mb00 mazz.2s -mb2r
mb2q.2s -mb5i mb5h.2s -mb89 mb88.2s -mbb0 mbaz.2s -mbdr mbdq.2s -mbgi mbgh.2s -mbj9 mbj8.2s -mix0 7az mblz.2s -mbor
mboq.2s -mbri mbrh.2s -mbu9 mbu8.2s -mbx0 mbwz.2s -mbzr mbzq.2s -mc2i mc2h.2s -mc59 mc58.2s -mc80 mc7z.2s -mcar
mcaq.2s -mjor 7b8 mcdh.2s -mcg9 mcg8.2s -mcj0 mciz.2s -mclr mclq.2s -mcoi mcoh.2s -mcr9 mcr8.2s -mcu0 mctz.2s -mcwr
mcwq.2s -mczi mczh.2s -md29 md28.2s -mkgi 7bh md4z.2s -md7r md7q.2s -mdai mdah.2s -mdd9 mdd8.2s -mdg0 mdfz.2s -mdir
mdiq.2s -mdli mdlh.2s -mdo9 mdo8.2s -mdr0 mdqz.2s -mdtr mdtq.2s -ml89 7bq mdwh.2s -mdz9 mdz8.2s -me20 me1z.2s -me4r
me4q.2s -me7i me7h.2s -mea9 mea8.2s -med0 mecz.2s -mefr mefq.2s -meii meih.2s -mel9 mel8.2s -mm00 7bz menz.2s -meqr
meqq.2s -meti meth.2s -mew9 mew8.2s -mez0 meyz.2s -mf1r mf1q.2s -mf4i mf4h.2s -mf79 mf78.2s -mfa0 mf9z.2s -mfcr
mfcq.2s -mmrr 7c8 mffh.2s -mfi9 mfi8.2s -mfl0 mfkz.2s -mfnr mfnq.2s -mfqi mfqh.2s -mft9 mft8.2s -mfw0 mfvz.2s -mfyr
mfyq.2s -mg1i mg1h.2s -mg49 mg48.2s -mnji 7ch mg6z.2s -mg9r mg9q.2s -mgci mgch.2s -mgf9 mgf8.2s -mgi0 mghz.2s -mgkr
mgkq.2s -mgni mgnh.2s -mgq9 mgq8.2s -mgt0 mgsz.2s -mgvr mgvq.2s -mob9 7cq mgyh.2s -mh19 mh18.2s -mh40 mh3z.2s -mh6r
mh6q.2s -mh9i mh9h.2s -mhc9 mhc8.2s -mhf0 mhez.2s -mhhr mhhq.2s -mhki mhkh.2s -mhn9 mhn8.2s -mpti qh 7cz mhpz.2s -mhsr
mhsq.2s -mhvi mhvh.2s -mhy9 mhy8.2s -mi10 mi0z.2s -mi3r mi3q.2s -mi6i mi6h.2s -mi99 mi98.2s -mic0 mibz.2s -mier
mieq.2s -mpur 7d8 mihh.2s -mik9 mik8.2s -min0 mimz.2s -mipr mipq.2s -misi mish.2s -miv9 miv8.2s -miy0 mixz.2s -mj0r
mj0q.2s -mj3i mj3h.2s -mj69 mj68.2s -mqmi 7dh mj8z.2s -mjbr mjbq.2s -mjei mjeh.2s -mjh9 mjh8.2s -mjk0 mjjz.2s -mjmr
mjmq.2s -mjpi mjph.2s -mjs9 mjs8.2s -mjv0 mjuz.2s -mjxr mjxq.2s -mre9 7dq mk0h.2s -mk39 mk38.2s -mk60 mk5z.2s -mk8r
mk8q.2s -mkbi mkbh.2s -mke9 mke8.2s -mkh0 mkgz.2s -mkjr mkjq.2s -mkmi mkmh.2s -mkp9 mkp8.2s -ms60 7dz mkrz.2s -mkur
mkuq.2s -mkxi mkxh.2s -ml09 ml08.2s -ml30 ml2z.2s -ml5r ml5q.2s -ml8i ml8h.2s -mlb9 mlb8.2s -mle0 mldz.2s -mlgr
mlgq.2s -msxr 7e8 mljh.2s -mlm9 mlm8.2s -mlp0 mloz.2s -mlrr mlrq.2s -mlui mluh.2s -mlx9 mlx8.2s -mm00 mlzz.2s -mm2r
mm2q.2s -mm5i mm5h.2s -mm89 mm88.2s -mtpi 7eh mmaz.2s -mmdr mmdq.2s -mmgi mmgh.2s -mmj9 mmj8.2s -mmm0 mmlz.2s -mmor
mmoq.2s -mmri mmrh.2s -mmu9 mmu8.2s -mmx0 mmwz.2s -mmzr mmzq.2s -muh9 7eq mn2h.2s -mn59 mn58.2s -mn80 mn7z.2s -mnar
mnaq.2s -mndi mndh.2s -mng9 mng8.2s -mnj0 mniz.2s -mnlr mnlq.2s -mnoi mnoh.2s -mnr9 mnr8.2s -mv90 7ez mntz.2s -mnwr
mnwq.2s -mnzi mnzh.2s -mo29 mo28.2s -mo50 mo4z.2s -mo7r mo7q.2s -moai moah.2s -mod9 mod8.2s -mog0 mofz.2s -moir
moiq.2s -mw0r 7f8 molh.2s -moo9 moo8.2s -mor0 moqz.2s -motr motq.2s -mowi mowh.2s -moz9 moz8.2s -mp20 mp1z.2s -mp4r
mp4q.2s -mp7i mp7h.2s -mpa9 mpa8.2s -mxj9 qq 7fh mpcz.2s -mpfr mpfq.2s -mpii mpih.2s -mpl9 mpl8.2s -mpo0 mpnz.2s -mpqr
mpqq.2s -mpti mpth.2s -mpw9 mpw8.2s -mpz0 mpyz.2s -mq1r mq1q.2s -mxk9 7fq mq4h.2s -mq79 mq78.2s -mqa0 mq9z.2s -mqcr
mqcq.2s -mqfi mqfh.2s -mqi9 mqi8.2s -mql0 mqkz.2s -mqnr mqnq.2s -mqqi mqqh.2s -mqt9 mqt8.2s -myc0 7fz mqvz.2s -mqyr
mqyq.2s -mr1i mr1h.2s -mr49 mr48.2s -mr70 mr6z.2s -mr9r mr9q.2s -mrci mrch.2s -mrf9 mrf8.2s -mri0 mrhz.2s -mrkr
mrkq.2s -mz3r 7g8 mrnh.2s -mrq9 mrq8.2s -mrt0 mrsz.2s -mrvr mrvq.2s -mryi mryh.2s -ms19 ms18.2s -ms40 ms3z.2s -ms6r
ms6q.2s -ms9i ms9h.2s -msc9 msc8.2s -mzvi 7gh msez.2s -mshr mshq.2s -mski mskh.2s -msn9 msn8.2s -msq0 mspz.2s -mssr
mssq.2s -msvi msvh.2s -msy9 msy8.2s -mt10 mt0z.2s -mt3r mt3q.2s -n0n9 7gq mt6h.2s -mt99 mt98.2s -mtc0 mtbz.2s -mter
mteq.2s -mthi mthh.2s -mtk9 mtk8.2s -mtn0 mtmz.2s -mtpr mtpq.2s -mtsi mtsh.2s -mtv9 mtv8.2s -n1f0 7gz mtxz.2s -mu0r
mu0q.2s -mu3i mu3h.2s -mu69 mu68.2s -mu90 mu8z.2s -mubr mubq.2s -muei mueh.2s -muh9 muh8.2s -muk0 mujz.2s -mumr
mumq.2s -n26r 7h8 muph.2s -mus9 mus8.2s -muv0 muuz.2s -muxr muxq.2s -mv0i mv0h.2s -mv39 mv38.2s -mv60 mv5z.2s -mv8r
mv8q.2s -mvbi mvbh.2s -mve9 mve8.2s -n2yi 7hh mvgz.2s -mvjr mvjq.2s -mvmi mvmh.2s -mvp9 mvp8.2s -mvs0 mvrz.2s -mvur
mvuq.2s -mvxi mvxh.2s -mw09 mw08.2s -mw30 mw2z.2s -mw5r mw5q.2s -n3q9 7hq mw8h.2s -mwb9 mwb8.2s -mwe0 mwdz.2s -mwgr
mwgq.2s -mwji mwjh.2s -mwm9 mwm8.2s -mwp0 mwoz.2s -mwrr mwrq.2s -mwui mwuh.2s -mwx9 mwx8.2s -n590 qz 7hz mwzz.2s -mx2r
mx2q.2s -mx5i mx5h.2s -mx89 mx88.2s -mxb0 mxaz.2s -mxdr mxdq.2s -mxgi mxgh.2s -mxj9 mxj8.2s -mxm0 mxlz.2s -mxor
mxoq.2s -n59r 7i8 mxrh.2s -mxu9 mxu8.2s -mxx0 mxwz.2s -mxzr mxzq.2s -my2i my2h.2s -my59 my58.2s -my80 my7z.2s -myar
myaq.2s -mydi mydh.2s -myg9 myg8.2s -n61i 7ih myiz.2s -mylr mylq.2s -myoi myoh.2s -myr9 myr8.2s -myu0 mytz.2s -mywr
mywq.2s -myzi myzh.2s -mz29 mz28.2s -mz50 mz4z.2s -mz7r mz7q.2s -n6t9 7iq mzah.2s -mzd9 mzd8.2s -mzg0 mzfz.2s -mzir
mziq.2s -mzli mzlh.2s -mzo9 mzo8.2s -mzr0 mzqz.2s -mztr mztq.2s -mzwi mzwh.2s -mzz9 mzz8.2s -n7l0 7iz n01z.2s -n04r
n04q.2s -n07i n07h.2s -n0a9 n0a8.2s -n0d0 n0cz.2s -n0fr n0fq.2s -n0ii n0ih.2s -n0l9 n0l8.2s -n0o0 n0nz.2s -n0qr
n0qq.2s -n8cr 7j8 n0th.2s -n0w9 n0w8.2s -n0z0 n0yz.2s -n11r n11q.2s -n14i n14h.2s -n179 n178.2s -n1a0 n19z.2s -n1cr
n1cq.2s -n1fi n1fh.2s -n1i9 n1i8.2s -n94i 7jh n1kz.2s -n1nr n1nq.2s -n1qi n1qh.2s -n1t9 n1t8.2s -n1w0 n1vz.2s -n1yr
n1yq.2s -n21i n21h.2s -n249 n248.2s -n270 n26z.2s -n29r n29q.2s -n9w9 7jq n2ch.2s -n2f9 n2f8.2s -n2i0 n2hz.2s -n2kr
n2kq.2s -n2ni n2nh.2s -n2q9 n2q8.2s -n2t0 n2sz.2s -n2vr n2vq.2s -n2yi n2yh.2s -n319 n318.2s -nao0 7jz n33z.2s -n36r
n36q.2s -n39i n39h.2s -n3c9 n3c8.2s -n3f0 n3ez.2s -n3hr n3hq.2s -n3ki n3kh.2s -n3n9 n3n8.2s -n3q0 n3pz.2s -n3sr
n3sq.2s -nbfr 7k8 n3vh.2s -n3y9 n3y8.2s -n410 n40z.2s -n43r n43q.2s -n46i n46h.2s -n499 n498.2s -n4c0 n4bz.2s -n4er
n4eq.2s -n4hi n4hh.2s -n4k9 n4k8.2s -ncyr r8 7kh n4mz.2s -n4pr n4pq.2s -n4si n4sh.2s -n4v9 n4v8.2s -n4y0 n4xz.2s -n50r
n50q.2s -n53i n53h.2s -n569 n568.2s -n590 n58z.2s -n5br n5bq.2s -ncz9 7kq n5eh.2s -n5h9 n5h8.2s -n5k0 n5jz.2s -n5mr
n5mq.2s -n5pi n5ph.2s -n5s9 n5s8.2s -n5v0 n5uz.2s -n5xr n5xq.2s -n60i n60h.2s -n639 n638.2s -ndr0 7kz n65z.2s -n68r
n68q.2s -n6bi n6bh.2s -n6e9 n6e8.2s -n6h0 n6gz.2s -n6jr n6jq.2s -n6mi n6mh.2s -n6p9 n6p8.2s -n6s0 n6rz.2s -n6ur
n6uq.2s -neir 7l8 n6xh.2s -n709 n708.2s -n730 n72z.2s -n75r n75q.2s -n78i n78h.2s -n7b9 n7b8.2s -n7e0 n7dz.2s -n7gr
n7gq.2s -n7ji n7jh.2s -n7m9 n7m8.2s -nfai 7lh n7oz.2s -n7rr n7rq.2s -n7ui n7uh.2s -n7x9 n7x8.2s -n800 n7zz.2s -n82r
n82q.2s -n85i n85h.2s -n889 n888.2s -n8b0 n8az.2s -n8dr n8dq.2s -ng29 7lq n8gh.2s -n8j9 n8j8.2s -n8m0 n8lz.2s -n8or
n8oq.2s -n8ri n8rh.2s -n8u9 n8u8.2s -n8x0 n8wz.2s -n8zr n8zq.2s -n92i n92h.2s -n959 n958.2s -ngu0 7lz n97z.2s -n9ar
n9aq.2s -n9di n9dh.2s -n9g9 n9g8.2s -n9j0 n9iz.2s -n9lr n9lq.2s -n9oi n9oh.2s -n9r9 n9r8.2s -n9u0 n9tz.2s -n9wr
n9wq.2s -nhlr 7m8 n9zh.2s -na29 na28.2s -na50 na4z.2s -na7r na7q.2s -naai naah.2s -nad9 nad8.2s -nag0 nafz.2s -nair
naiq.2s -nali nalh.2s -nao9 nao8.2s -nidi 7mh naqz.2s -natr natq.2s -nawi nawh.2s -naz9 naz8.2s -nb20 nb1z.2s -nb4r
nb4q.2s -nb7i nb7h.2s -nba9 nba8.2s -nbd0 nbcz.2s -nbfr nbfq.2s -nj59 7mq nbih.2s -nbl9 nbl8.2s -nbo0 nbnz.2s -nbqr
nbqq.2s -nbti nbth.2s -nbw9 nbw8.2s -nbz0 nbyz.2s -nc1r nc1q.2s -nc4i nc4h.2s -nc79 nc78.2s -nkoi rh 7mz nc9z.2s -nccr
nccq.2s -ncfi ncfh.2s -nci9 nci8.2s -ncl0 nckz.2s -ncnr ncnq.2s -ncqi ncqh.2s -nct9 nct8.2s -ncw0 ncvz.2s -ncyr
ncyq.2s -nkor 7n8 nd1h.2s -nd49 nd48.2s -nd70 nd6z.2s -nd9r nd9q.2s -ndci ndch.2s -ndf9 ndf8.2s -ndi0 ndhz.2s -ndkr
ndkq.2s -ndni ndnh.2s -ndq9 ndq8.2s -nlgi 7nh ndsz.2s -ndvr ndvq.2s -ndyi ndyh.2s -ne19 ne18.2s -ne40 ne3z.2s -ne6r
ne6q.2s -ne9i ne9h.2s -nec9 nec8.2s -nef0 neez.2s -nehr nehq.2s -nm89 7nq nekh.2s -nen9 nen8.2s -neq0 nepz.2s -nesr
nesq.2s -nevi nevh.2s -ney9 ney8.2s -nf10 nf0z.2s -nf3r nf3q.2s -nf6i nf6h.2s -nf99 nf98.2s -nn00 7nz nfbz.2s -nfer
nfeq.2s -nfhi nfhh.2s -nfk9 nfk8.2s -nfn0 nfmz.2s -nfpr nfpq.2s -nfsi nfsh.2s -nfv9 nfv8.2s -nfy0 nfxz.2s -ng0r
ng0q.2s -nnrr 7o8 ng3h.2s -ng69 ng68.2s -ng90 ng8z.2s -ngbr ngbq.2s -ngei ngeh.2s -ngh9 ngh8.2s -ngk0 ngjz.2s -ngmr
ngmq.1o -lbw0 lbvz.a -lbw9 lbw8.a -lbwi lbwh.a -lbwr lbwq.a -ngpi ngph.a -lbx9 lbx8.a -lbxi lbxh.a -lbxr lbxq.a -lby0
lbxz.a -lby9 lby8.a -lbyi lbyh.a -lbyr lbyq.k -lbz9 lbz8.a -ngs9 24sq lbzh.k -lc00 lbzz.a -lc09 lc08.a -lc0i lc0h.a
-lc0r lc0q.a -lc10 lc0z.a -lc19 lc18.a -lc1i lc1h.a -lc1r lc1q.a -noji 7oh 24sz lc1z.a -lc29 lc28.a -lc2i lc2h.a -lc2r
lc2q.a -lc30 lc2z.a -lc39 lc38.a -lc3i lc3h.a -lc3r lc3q.a -lc40 lc3z.a -lc49 lc48.a -ngxr 24t8 lc4h.a -lc4r lc4q.a
-lc50 lc4z.a -lc59 lc58.a -lc5i lc5h.a -lc5r lc5q.a -lc60 lc5z.a -lc69 lc68.a -lc6i lc6h.a -lc6r lc6q.a -nh0i 24th
lc6z.a -lc79 lc78.a -lc7i lc7h.a -lc7r lc7q.a -lc80 lc7z.a -lc89 lc88.a -lc8i lc8h.a -lc8r lc8q.a -lc90 lc8z.a -lc99
lc98.a -nh39 24tq lc9h.a -lc9r lc9q.a -lca0 lc9z.a -lca9 lca8.a -lcai lcah.a -lcar lcaq.a -lcb0 lcaz.a -lcb9 lcb8.a
-lcbi lcbh.a -lcbr lcbq.a -nh60 24tz lcbz.a -lcc9 lcc8.a -lcci lcch.a -lccr lccq.a -lcd0 lccz.a -lcd9 lcd8.a -lcdi
lcdh.a -lcdr lcdq.a -lce0 lcdz.a -lce9 lce8.a -nh8r 24u8 lceh.a -lcer lceq.a -lcf0 lcez.a -lcf9 lcf8.a -lcfi lcfh.a
-lcfr lcfq.a -lcg0 lcfz.a -lcg9 lcg8.a -lcgi lcgh.a -lcgr lcgq.a -nhbi 24uh lcgz.a -lch9 lch8.a -lchi lchh.a -lchr
lchq.a -lci0 lchz.a -lci9 lci8.a -lcii lcih.a -lcir lciq.a -lcj0 lciz.a -lcj9 lcj8.a -nhe9 24uq lcjh.a -lcjr lcjq.a
-lck0 lcjz.a -lck9 lck8.a -lcki lckh.a -lckr lckq.a -lcl0 lckz.a -lcl9 lcl8.a -lcli lclh.a -lclr lclq.a -nhh0 24uz
lclz.a -lcm9 lcm8.a -lcmi lcmh.a -lcmr lcmq.a -lcn0 lcmz.a -lcn9 lcn8.a -lcni lcnh.a -lcnr lcnq.a -lco0 lcnz.a -lco9
lco8.a -nhjr 24v8 lcoh.a -lcor lcoq.a -lcp0 lcoz.a -lcp9 lcp8.a -lcpi lcph.a -lcpr lcpq.a -lcq0 lcpz.a -lcq9 lcq8.a
-lcqi lcqh.a -lcqr lcqq.a -npb9 7oq 24vh lcqz.a -lcr9 lcr8.a -lcri lcrh.a -lcrr lcrq.a -lcs0 lcrz.a -lcs9 lcs8.a -lcsi
lcsh.a -lcsr lcsq.a -lct0 lcsz.a -lct9 lct8.a -nhp9 24vq lcth.a -lctr lctq.a -lcu0 lctz.a -lcu9 lcu8.a -lcui lcuh.a
-lcur lcuq.a -lcv0 lcuz.a -lcv9 lcv8.a -lcvi lcvh.a -lcvr lcvq.a -nhs0 24vz lcvz.a -lcw9 lcw8.a -lcwi lcwh.a -lcwr
lcwq.a -lcx0 lcwz.a -lcx9 lcx8.a -lcxi lcxh.a -lcxr lcxq.a -lcy0 lcxz.a -lcy9 lcy8.a -nhur 24w8 lcyh.a -lcyr lcyq.a
-lcz0 lcyz.a -lcz9 lcz8.a -lczi lczh.a -lczr lczq.a -ld00 lczz.a -ld09 ld08.a -ld0i ld0h.a -ld0r ld0q.a -nhxi 24wh
ld0z.a -ld19 ld18.a -ld1i ld1h.a -ld1r ld1q.a -ld20 ld1z.a -ld29 ld28.a -ld2i ld2h.a -ld2r ld2q.a -ld30 ld2z.a -ld39
ld38.a -ni09 24wq ld3h.a -ld3r ld3q.a -ld40 ld3z.a -ld49 ld48.a -ld4i ld4h.a -ld4r ld4q.a -ld50 ld4z.a -ld59 ld58.a
-ld5i ld5h.a -ld5r ld5q.a -ni30 24wz ld5z.a -ld69 ld68.a -ld6i ld6h.a -ld6r ld6q.a -ld70 ld6z.a -ld79 ld78.a -ld7i
ld7h.a -ld7r ld7q.a -ld80 ld7z.a -ld89 ld88.a -ni5r 24x8 ld8h.a -ld8r ld8q.a -ld90 ld8z.a -ld99 ld98.a -ld9i ld9h.a
-ld9r ld9q.a -lda0 ld9z.a -lda9 lda8.a -ldai ldah.a -ldar ldaq.a -ni8i 24xh ldaz.a -ldb9 ldb8.a -ldbi ldbh.a -ldbr
ldbq.a -ldc0 ldbz.a -ldc9 ldc8.a -ldci ldch.a -ldcr ldcq.a -ldd0 ldcz.a -ldd9 ldd8.a -nib9 24xq lddh.a -lddr lddq.a
-lde0 lddz.a -lde9 lde8.a -ldei ldeh.a -lder ldeq.a -ldf0 ldez.a -ldf9 ldf8.a -ldfi ldfh.a -ldfr ldfq.a -nq30 7oz 24xz
ldfz.a -ldg9 ldg8.a -ldgi ldgh.a -ldgr ldgq.a -ldh0 ldgz.a -ldh9 ldh8.a -ldhi ldhh.a -ldhr ldhq.a -ldi0 ldhz.a -ldi9
ldi8.a -nigr 24y8 ldih.a -ldir ldiq.a -ldj0 ldiz.a -ldj9 ldj8.a -ldji ldjh.a -ldjr ldjq.a -ldk0 ldjz.a -ldk9 ldk8.a
-ldki ldkh.a -ldkr ldkq.a -niji 24yh ldkz.a -ldl9 ldl8.a -ldli ldlh.a -ldlr ldlq.a -ldm0 ldlz.a -ldm9 ldm8.a -ldmi
ldmh.a -ldmr ldmq.a -ldn0 ldmz.a -ldn9 ldn8.a -nim9 24yq ldnh.a -ldnr ldnq.a -ldo0 ldnz.a -ldo9 ldo8.a -ldoi ldoh.a
-ldor ldoq.a -ldp0 ldoz.a -ldp9 ldp8.a -ldpi ldph.a -ldpr ldpq.a -nip0 24yz ldpz.a -ldq9 ldq8.a -ldqi ldqh.a -ldqr
ldqq.a -ldr0 ldqz.a -ldr9 ldr8.a -ldri ldrh.a -ldrr ldrq.a -lds0 ldrz.a -lds9 lds8.a -nirr 24z8 ldsh.a -ldsr ldsq.a
-ldt0 ldsz.a -ldt9 ldt8.a -ldti ldth.a -ldtr ldtq.a -ldu0 ldtz.a -ldu9 ldu8.a -ldui lduh.a -ldur lduq.a -niui 24zh
lduz.a -ldv9 ldv8.a -ldvi ldvh.a -ldvr ldvq.a -ldw0 ldvz.a -ldw9 ldw8.a -ldwi ldwh.a -ldwr ldwq.a -ldx0 ldwz.a -ldx9
ldx8.a -nix9 24zq ldxh.a -ldxr ldxq.a -ldy0 ldxz.a -ldy9 ldy8.a -ldyi ldyh.a -ldyr ldyq.a -ldz0 ldyz.a -ldz9 ldz8.a
-ldzi ldzh.a -ldzr ldzq.a -nj00 24zz ldzz.a -le09 le08.a -le0i le0h.28 -nj2r nj2q.2s -nqur 7p8 nj5h.2s -nj89 nj88.2s
-njb0 njaz.28 -lec0 lebz.a -lec9 lec8.a -njdr 2518 lech.2s -njgi njgh.28 -leh0 legz.a -leh9 leh8.a -njj9 251q lehh.a
-lehr lehq.2i -njm0 251z lejz.a -lek9 lek8.a -leki lekh.a -lekr lekq.a -lel0 lekz.a -lel9 lel8.a -leli lelh.a -lelr
lelq.a -lem0 lelz.a -lem9 lem8.a -njor 2528 lemh.a -lemr lemq.a -len0 lemz.a -len9 len8.a -leni lenh.a -lenr lenq.a
-leo0 lenz.a -leo9 leo8.a -leoi leoh.a -leor leoq.a -njri 252h leoz.a -lep9 lep8.a -lepi leph.a -lepr lepq.a -leq0
lepz.a -leq9 leq8.a -leqi leqh.a -leqr leqq.a -ler0 leqz.a -ler9 ler8.a -nju9 252q lerh.a -lerr lerq.a -les0 lerz.a
-les9 les8.a -lesi lesh.a -lesr lesq.a -let0 lesz.a -let9 let8.a -leti leth.a -letr letq.a -nse9 rq 7ph 252z letz.a
-leu9 leu8.a -leui leuh.a -leur leuq.a -lev0 leuz.a -lev9 lev8.a -levi levh.a -levr levq.a -lew0 levz.a -lew9 lew8.a
-njzr 2538 lewh.a -lewr lewq.a -lex0 lewz.a -lex9 lex8.a -lexi lexh.a -lexr lexq.a -ley0 lexz.a -ley9 ley8.a -leyi
leyh.a -leyr leyq.a -nk2i 253h leyz.a -lez9 lez8.a -lezi lezh.a -lezr lezq.a -lf00 lezz.a -lf09 lf08.a -lf0i lf0h.a
-lf0r lf0q.a -lf10 lf0z.a -lf19 lf18.a -nk59 253q lf1h.a -lf1r lf1q.a -lf20 lf1z.a -lf29 lf28.a -lf2i lf2h.a -lf2r
lf2q.a -lf30 lf2z.a -lf39 lf38.a -lf3i lf3h.a -lf3r lf3q.a -nk80 253z lf3z.a -lf49 lf48.a -lf4i lf4h.a -lf4r lf4q.a
-lf50 lf4z.a -lf59 lf58.a -lf5i lf5h.a -lf5r lf5q.a -lf60 lf5z.a -lf69 lf68.a -nkar 2548 lf6h.a -lf6r lf6q.a -lf70
lf6z.a -lf79 lf78.a -lf7i lf7h.a -lf7r lf7q.a -lf80 lf7z.a -lf89 lf88.a -lf8i lf8h.a -lf8r lf8q.a -nkdi 254h lf8z.a
-lf99 lf98.a -lf9i lf9h.a -lf9r lf9q.a -lfa0 lf9z.a -lfa9 lfa8.a -lfai lfah.a -lfar lfaq.a -lfb0 lfaz.a -lfb9 lfb8.a
-nkg9 254q lfbh.a -lfbr lfbq.a -lfc0 lfbz.a -lfc9 lfc8.a -lfci lfch.a -lfcr lfcq.a -lfd0 lfcz.a -lfd9 lfd8.a -lfdi
lfdh.a -lfdr lfdq.a -nkj0 254z lfdz.a -lfe9 lfe8.a -lfei lfeh.a -lfer lfeq.a -lff0 lfez.a -lff9 lff8.a -lffi lffh.a
-lffr lffq.a -lfg0 lffz.a -lfg9 lfg8.a -nklr 2558 lfgh.a -lfgr lfgq.a -lfh0 lfgz.a -lfh9 lfh8.a -lfhi lfhh.a -lfhr
lfhq.a -lfi0 lfhz.a -lfi9 lfi8.a -lfii lfih.a -lfir lfiq.a -nse9 7pq 255h lfiz.a -lfj9 lfj8.a -lfji lfjh.a -lfjr
lfjq.a -lfk0 lfjz.a -lfk9 lfk8.a -lfki lfkh.a -lfkr lfkq.a -lfl0 lfkz.a -lfl9 lfl8.a -nkr9 255q lflh.a -lflr lflq.a
-lfm0 lflz.a -lfm9 lfm8.a -lfmi lfmh.a -lfmr lfmq.a -lfn0 lfmz.a -lfn9 lfn8.a -lfni lfnh.a -lfnr lfnq.a -nku0 255z
lfnz.a -lfo9 lfo8.a -lfoi lfoh.a -lfor lfoq.a -lfp0 lfoz.a -lfp9 lfp8.a -lfpi lfph.a -lfpr lfpq.a -lfq0 lfpz.a -lfq9
lfq8.a -nkwr 2568 lfqh.a -lfqr lfqq.a -lfr0 lfqz.a -lfr9 lfr8.a -lfri lfrh.a -lfrr lfrq.a -lfs0 lfrz.a -lfs9 lfs8.a
-lfsi lfsh.a -lfsr lfsq.a -nkzi 256h lfsz.a -lft9 lft8.a -lfti lfth.a -lftr lftq.a -lfu0 lftz.a -lfu9 lfu8.a -lfui
lfuh.a -lfur lfuq.a -lfv0 lfuz.a -lfv9 lfv8.a -nl29 256q lfvh.a -lfvr lfvq.a -lfw0 lfvz.a -lfw9 lfw8.a -lfwi lfwh.a
-lfwr lfwq.a -lfx0 lfwz.a -lfx9 lfx8.a -lfxi lfxh.a -lfxr lfxq.a -nl50 256z lfxz.a -lfy9 lfy8.a -lfyi lfyh.a -lfyr
lfyq.a -lfz0 lfyz.a -lfz9 lfz8.a -lfzi lfzh.a -lfzr lfzq.a -lg00 lfzz.a -lg09 lg08.a -nl7r 2578 lg0h.a -lg0r lg0q.a
-lg10 lg0z.a -lg19 lg18.a -lg1i lg1h.a -lg1r lg1q.a -lg20 lg1z.a -lg29 lg28.a -lg2i lg2h.a -lg2r lg2q.a -nlai 257h
lg2z.a -lg39 lg38.a -lg3i lg3h.a -lg3r lg3q.a -lg40 lg3z.a -lg49 lg48.a -lg4i lg4h.a -lg4r lg4q.a -lg50 lg4z.a -lg59
lg58.a -nld9 257q lg5h.a -lg5r lg5q.a -lg60 lg5z.a -lg69 lg68.a -lg6i lg6h.a -lg6r lg6q.a -lg70 lg6z.a -lg79 lg78.a
-lg7i lg7h.a -lg7r lg7q.a -nt60 7pz 257z lg7z.a -lg89 lg88.a -lg8i lg8h.a -lg8r lg8q.a -lg90 lg8z.a -lg99 lg98.a -lg9i
lg9h.a -lg9r lg9q.a -lga0 lg9z.a -lga9 lga8.a -nlir 2588 lgah.a -lgar lgaq.a -lgb0 lgaz.a -lgb9 lgb8.a -lgbi lgbh.a
-lgbr lgbq.a -lgc0 lgbz.a -lgc9 lgc8.a -lgci lgch.a -lgcr lgcq.a -nlli 258h lgcz.a -lgd9 lgd8.a -lgdi lgdh.a -lgdr
lgdq.a -lge0 lgdz.a -lge9 lge8.a -lgei lgeh.a -lger lgeq.a -lgf0 lgez.a -lgf9 lgf8.a -nlo9 258q lgfh.a -lgfr lgfq.a
-lgg0 lgfz.a -lgg9 lgg8.a -lggi lggh.a -lggr lggq.a -lgh0 lggz.a -lgh9 lgh8.a -lghi lghh.a -lghr lghq.a -lgi0 lghz.a
-lgi9 lgi8.a -lgii lgih.a -lgir lgiq.a -lgj0 lgiz.a -lgj9 lgj8.a -lgji lgjh.a -lgjr lgjq.a -lgk0 lgjz.a -lgk9 lgk8.a
-lgki lgkh.a -lgkr lgkq.a -lgl0 lgkz.a -lgl9 lgl8.a -lgli lglh.a -lglr lglq.a -lgm0 lglz.a -lgm9 lgm8.a -lgmi lgmh.a
-lgmr lgmq.a -nlwi 259h lgmz.a -lgn9 lgn8.a -lgni lgnh.a -lgnr lgnq.a -lgo0 lgnz.a -lgo9 lgo8.a -lgoi lgoh.a -lgor
lgoq.a -lgp0 lgoz.a -lgp9 lgp8.a -nlz9 259q lgph.a -lgpr lgpq.a -lgq0 lgpz.a -lgq9 lgq8.a -lgqi lgqh.a -lgqr lgqq.a
-lgr0 lgqz.a -lgr9 lgr8.a -lgri lgrh.a -lgrr lgrq.a -nm20 259z lgrz.a -lgs9 lgs8.a -lgsi lgsh.a -lgsr lgsq.a -lgt0
lgsz.a -lgt9 lgt8.a -lgti lgth.a -lgtr lgtq.a -lgu0 lgtz.a -lgu9 lgu8.a -nm4r 25a8 lguh.a -lgur lguq.a -lgv0 lguz.a
-lgv9 lgv8.a -lgvi lgvh.a -lgvr lgvq.a -lgw0 lgvz.a -lgw9 lgw8.a -lgwi lgwh.a -lgwr lgwq.a -ntxr 7q8 25ah lgwz.a -lgx9
lgx8.a -lgxi lgxh.a -lgxr lgxq.a -lgy0 lgxz.a -lgy9 lgy8.a -lgyi lgyh.a -lgyr lgyq.a -lgz0 lgyz.a -lgz9 lgz8.a -nma9
25aq lgzh.a -lgzr lgzq.a -lh00 lgzz.a -lh09 lh08.a -lh0i lh0h.a -lh0r lh0q.a -lh10 lh0z.a -lh19 lh18.a -lh1i lh1h.a
-lh1r lh1q.a -nmd0 25az lh1z.a -lh29 lh28.a -lh2i lh2h.a -lh2r lh2q.a -lh30 lh2z.a -lh39 lh38.a -lh3i lh3h.a -lh3r
lh3q.a -lh40 lh3z.a -lh49 lh48.a -nmfr 25b8 lh4h.a -lh4r lh4q.a -lh50 lh4z.a -lh59 lh58.a -lh5i lh5h.a -lh5r lh5q.a
-lh60 lh5z.a -lh69 lh68.a -lh6i lh6h.a -lh6r lh6q.a -nmii 25bh lh6z.a -lh79 lh78.a -lh7i lh7h.a -lh7r lh7q.a -lh80
lh7z.a -lh89 lh88.a -lh8i lh8h.a -lh8r lh8q.a -lh90 lh8z.a -lh99 lh98.a -nml9 25bq lh9h.a -lh9r lh9q.a -lha0 lh9z.a
-lha9 lha8.a -lhai lhah.a -lhar lhaq.1e -nmo0 nmnz.2s -nmqr nmqq.2s -nmti nmth.2s -nmw9 nmw8.2s -nupi 7qh nmyz.2s
-nn1r nn1q.a -nn20.8 -7qr 7qq.8 1 -7r0 7qz.a -7r9 7r8.a -7ri 7rh.a -7rr 7rq.a -8k0 rz 7rz.a -7s9 7s8.a -7si 7sh.a -7sr
7sq.a -7t0 7sz.a -7t9 7t8.a -7ti 7th.a -7tr 7tq.a -7u0 7tz.a -7u9 7u8.a -8mr s8 7uh.a -7ur 7uq.a -7v0 7uz.a -7v9 7v8.a
-7vi 7vh.a -7vr 7vq.a -7w0 7vz.7 26xl.6 -26xr 26xq.a -26y0 26xz.a -26y9 26y8.a -2eur 7w8 26yh.a -26yr 26yq.a -26z0
26yz.a -26z9 26z8.a -26zi 26zh.a -26zr 26zq.a -2700 26zz.a -2709 2708 5.4 -270i 270h.9 -270q 270s.8 -2exi 7wh 270z 7.2
-2719 2718.8 -271g 271h.8 -271p.7 -7wr 7wq.a -8pi sh 7wz.a -7x9 7x8.a -7xi 7xh.a -7xr 7xq.a -7y0 7xz.a -7y9 7y8.a -7yi
7yh.a -7yr 7yq.a -7z0 7yz.a -7z9 7z8.a -8s9 sq 7zh.8 -7zp 7zt.7 -800 7zz.a -809 808.a -80i 80h.a -80r 80q.8 1 -810 814
2.2 -819 818.a -81i 81h.a -81r 81q.a -8v0 sz 81z.a -829 828.a -82i 82h.4 -82l 82r.2 -82t 836.3 -839 838.a -83i 83h.a
-83r 83q -83r 83z.7 1.2 -849 848.5 1.4 -8xr t8 84h.3 1.6 -84r 84q 1.7 -84z 84z.7 1.2 -859 858.5 1.4 -85i 85h.3 1.6
-85r 85q.a -860 85z.a -869 868.a -86i 86h.a -86r 86q.a -90i th 86z.a -879 878.a -87i 87h.a -87r 87q.a -880 87z.a -889
888.3 2ab7.2 -2ab9 2ab8.a -2abi 2abh.a -2abr 2abq.a -2ac0 2abz.a -2ac9 2ac8.4 2.4 -2aci 2ach.a -2acr 2acq.9 -2ilh 88h
2ad7.2 -2ad9 2ad8.a -2adi 2adh.a -2adr 2adq.a -2ae0 2adz.a -2ae9 2ae8.a -2aei 2aeh.a -2aer 2aeq.a -2af0 2aez.a -2af9
2af8.a -2io9 2io8.o 1o.g -2ir0 2iqz.2s -2itr 2itq.2s -2jq9 tq 2iwh.u -2anq 2anz.a -2ao9 2ao8.a -2aoi 2aoh.a -2aor
2aoq.9 -2aoz 2ap0.9 -2ap9 2ap8.a -2iz9 89q 2aph.a -2apr 2apq.a -2aq0 2apz.a -2aq9 2aq8.a -2aqi 2aqh.a -2aqr 2aqq.a
-2ar0 2aqz.a -2ar9 2ar8.a -2ari 2arh.a -2arr 2arq.a -2j20 89z 2arz.a -2as9 2as8.a -2asi 2ash.a -2asr 2asq.a -2at0
2asz.a -2at9 2at8.a -2ati 2ath.a -2atr 2atq.5 -2atv.2 2aue.4 -2j4r 2j4q.a -2aur 2auq.a -2av0 2auz.a -2av9 2av8.a -2avi
2avh.a -2avr 2avq.a -2aw0 2avz.6 -2aw5.3 -8ai 8ah.a -8ar 8aq.3 2azz.a -2b09 2b08.a -2b0i.2 2b0s.8 -2b10 2b0z.a -2b19
2b18.a -2b1i 2b1h.a -2b1r 2b1q.a -2jd0 8az 2b1z.a -2b29 2b28.a -2b2i 2b2h.a -2b2r 2b2q.9 -2b2z 2b37.2 -2b39 2b38.a
-2b3i 2b3h.a -2b3r 2b3q.3 -2b3t.2 -8b9 8b8.a -8bi 8bh 2b77.2 -2b79 2b78.a -2b7i 2b7h.a -2b7r 2b7q.a -2b80 2b7z.a -2b89
2b88.a -2b8i 2b8h.a -2b8r 2b8q.a -2b90 2b8z.a -2b99 2b98.3 1.6 -2jl9 8bq 2b9h.a -2b9r 2b9q.a -2ba0 2b9z.a -2ba9 2ba8.a
-2bai 2bah.a -2bar 2baq.a -2bb0 2baz.5 1.2 -2bb7 2bb8 2.2 2.3 -2bbi 2bbh 1.8 -2bbr 2bbq.4 1 1.3 -2ki0 tz 8bz 2bbz.4
1.5 -2bc9 2bc8.a -2bci 2bch.a -2bcr 2bcq.a -2bd0 2bcz.a -2bd9 2bd8.a -2bdi 2bdh.a -2bdr 2bdr.4 2.3 -2be0 2bdz.5 1.4
-2be9 2be8.3 1.6 -2jqr 8c8 2beh.a -2ber 2beq.a -2bf0 2bez.2 1.4 1.2 -2bf9 2bf8.3 1 3.2 -2bfi 2bfh.5 1.4 -2bfr 2bfq.a
-2bg0 2bfz.a -2bg9 2bg8.a -2bgi 2bgh.a -2bgr 2bgq.a -2jti 2jth.2s -2jw9 2jw8.k -2bk0 2bjz.a -2bk9 2bk8.a -2bki 2bkh.a
-2bkr 2bkq.a -2bl0 2bkz.a -2bl9 2bl8.a -2bli 2blh.a -2blr 2blq.a -2jz0 8cz 2blz.a -2bm9 2bm8.a -2bmi 2bmh.a -2bmr
2bmq.a -2bn0 2bmz.a -2bn9 2bn8.a -2bni 2bnh.a -2bnr 2bnq.a -2bo0 2bnz.6 2.2 -2bo9 2bo8.a -2k1r 8d8 2boh.a -2bor 2boq.a
-2bp0 2boz.a -2bp9 2bp8.a -2bpi 2bph.a -2bpr 2bpq.a -2bq0 2bpz.a -2bq9 2bq8.a -2bqi 2bqh.a -2bqr 2bqq.a -2k4i 8dh
2bqz.a -2br9 2br8.a -2bri 2brh.a -2brr 2brq.a -2bs0 2brz.a -2bs9 2bs8.a -2bsi 2bsh.a -2bsr 2bsq.a -2bt0 2bsz.a -2bt9
2bt8.a -2k79 8dq 2bth.a -2btr 2btq.a -2bu0 2btz.a -2bu9 2bu8.a -2bui 2buh.a -2bur 2buq.a -2bv0 2buz.a -2bv9 2bv8.a
-2bvi 2bvj.8 -2bvr 2bvq.a -2ka0 8dz 2bvz.a -2bw9 2bw8.a -2bwi 2bwh.a -2bwr 2bwq.a -2bx0 2bwz.a -2bx9 2bx8.a -2bxi
2bxh.a -2bxr 2bxq.a -2by0 2bxz.a -2by9 2by8.a -2kcr 8e8 2byh.a -2byr 2byq.a -2bz0 2byz.a -2bz9 2bz8.a -2bzi 2bzh.a
-2bzr 2bzq.a -2c00 2bzz.a -2c09 2c08.a -2c0i 2c0h.a -2c0r 2c0q.a -2l9r u8 8eh 2c0z.a -2c19 2c18.a -2c1i 2c1h.a -2c1r
2c1q.a -2c20 2c1z.a -2c29 2c28.a -2c2i 2c2h.a -2c2r 2c2q.a -2c30 2c2z.a -2c39 2c38.a -2ki9 8eq 2c3h.a -2c3r 2c3q.a
-2c40 2c3z.a -2c49 2c48.a -2c4i 2c4h.a -2c4r 2c4q.a -2c50 2c4z.a -2c59 2c58.a -2c5i 2c5h.a -2c5r 2c5q.a -2kl0 8ez
2c5z.a -2c69 2c68.a -2c6i 2c6h.a -2c6r 2c6q.a -2c70 2c6z.a -2c79 2c78.a -2c7i 2c7h.a -2c7r 2c7q.a -2c80 2c7z.a -2c89
2c88.a -2knr 8f8 2c8h.a -2c8r 2c8q.a -2c90 2c8z.a -2c99 2c98.a -2c9i 2c9h.a -2c9r 2c9q.a -2ca0 2c9z.a -2ca9 2ca8.a
-2cai 2cah.a -2car 2caq.a -2kqi 8fh 2caz.a -2cb9 2cb8.a -2cbi 2cbh.a -2cbr 2cbq.a -2cc0 2cbz.a -2cc9 2cc8.a -2cci
2cch.a -2ccr 2ccq.a -2cd0 2ccz.4 -2cd3 2cdh -2kt9 8fq 2cdh.4 1.5 -2cdr 2cdq.a -2ce0.8 -8g0 8fz.a -8g9 8g8.a -8gi 8gh.a
-8gr 8gq.a -9bi uh 8gz.a -8h9 8h8.a -8hi 8hh.a -8hr 8hq.a -8i0 8hz.6 -8i5.2 2lo5.v -2lp0 8is.8 -8j0 8iz.4 4 2dbz.7 1.2
-2dc9 2dc8.a -2lvr 8j8 2dch.5 2.3 -2dcr 2dcq.4 1.2 1.2 -2dd0 2dcz.3 -2dd2.7 -9e9 uq 8jh.a -8jr 8jq.4 2die.4 -2dii
2dih.a -2dir 2diq.a -2dj0 2diz.a -2dj9 2dj8.a -2dji 2djh 3.6 -2djr 2djq.8 -2m3y 8jz 2djz.a -2dk9 2dkc.2 -2dke.8 -8k9
8k8.a -8ki 8kh.a -8kr 8kq.2 1 2dse.4 -2dsi 2dsh.a -2dsr 2dsq.a -2dt0 2dsz.7 -2dt6.2 2dtl.6 -2dtr 2dtq.a -2mf0 8kz
2dtz.a -2du9 2du8.a -2dui 2duh.a -2dur 2duq.a -2dv0 2duz.2 5 -2dv7.5 -8l9 8l8.a -8li 8lh.a -8lr 8lq.a -9h0 uz 8lz.a
-8m9 8m8.a -8mi 8mh.a -8mr 8mq.9 -8mz 8n0.9 -8n9 8n8.a -8ni 8nh.a -8nr 8nq.a -8o0 8nz.a 2eqe.4 -2ner 8o8 2eqh.3 1.4 1
-2eqr 2eqq 1.8 -2er0 2eqz.7 1.2 -2er9 2er8.a -2eri 2erh.a -2err 2erq.a -2es0 2erz.a -2es9 2es8.a -2esi 2esh.a -2esr
2esq.a -2ocr v8 8oh 2esz.a -2et9 2et8.a -2eti 2eth.a -2etr 2etq.a -2eu0 2etz.a -2eu9 2eu8.a -2eui 2euh.a -2eur 2euq.a
-2ev0 2euz.a -2ev9 2ev8.a -2nk9 8oq 2evh.a -2evr 2evq.a -2ew0 2evz.5 2.3 -2ew9 2ew8.a -2ewi 2ewh.3 -2ewk.4 2exl.6
-2exr 2exq.a -2nn0 8oz 2exz.a -2ey9 2ey8.a -2eyi 2eyh.a -2eyr 2eyq.a -2ez0 2eyz.a -2ez9 2ez8.a -2ezi 2ezl.6 -2ezr
2ezq.4 4.2 -2f00.2 -8p9 8p8.a -8pi 8ph.4 5 -8pr 8pq.a -8q0 8pz.a -8q9 8q8.a -8qi 8qh.a -8qr 8qq.2 1.7 -9mi vh 8qz.7
2fjm.5 -2fjr 2fjq.a -2fk0 2fjz.a -2fk9 2fk8.a -2obr 8r8 2fkh.a -2fkr 2fkq.a -2fl0 2fkz.a -2fl9 2fl8.3 -2flb.6 -8ri 8rh
2fn8 -2fn9 2fn8.a -2fni 2fnh.a -2fnr 2fnq.a -2fo0 2fnz.a -2fo9 2fo8.a -2foi 2foh.a -2for.3 -8rr 8rq.a -8s0 8rz.7
2ftl.4 1 -2ftr 2ftq.a -2fu0 2ftz.a -2fu9 2fu8.6 1.2 -2omq 8s8 2fuh 2 1.5 -2fur 2fuq.5 1.4 -2fv0 2fv0 1 -2fv3 2fv8 4 1
1 -2fvi 2fvi.3 1.2 1 -2fvq 2fvr 1 1 1 1 -2fw0 2fw0.2 1 2.3 -2fw9 2fw8 1.7 -2fwh 2fwh.4 1.4 -2fwq 2fwq 1.8 -2opi 8sh
2fwz.2 1.7 -2fx9 2fx8.a -2fxi 2fxm.3 1 -2fxr 2fxq.4 1.5 -2fy0 2fxz.a -2fy9 2fy8.2 -2fya.4 -8sr 8sq 2fzl.2 -2fzn.9 -8t0
8sz.7 1.2 -8t9 8t8.8 2g6e.4 -2g6i 2g6h.a -2g6r 2g6q.a -2p0i 8th 2g6z.a -2g79 2g78.a -2g7i 2g7l.6 -2g7r 2g7q.a -2g80
2g7z.a -2g89 2g88.a -2g8i 2g8h.a -2g8r 2g8q.a -2g90 2g8z.a -2g99 2g98.a -2p39 8tq 2g9h.a -2g9r 2g9q.a -2ga0 2g9z.4
-2ga3 2gae.4 -2gai 2gah.a -2gar 2gaq 2.7 -2gb0 2gaz.8 1 -2gb9 2gb8.a -2gbi 2gbh.4 1.5 -2gbr 2gbq.a -2p60 8tz 2gbz.a
-2gc9 2gc8.a -2gci 2gch.2 -2gcj 2gcs.8 -2gd0 2gcz.a -2gd9 2gd8.a -2gdi 2gdh.a -2gdr 2gdq.a -2ge0 2gdz.a -2ge9 2ge8.a
-2p8r 8u8 2geh.a -2ger 2geq.a -2gf0 2gez.a -2gf9 2gf8.a -2gfi 2gfh.a -2gfr 2gfq.a -2gg0 2gfz.a -2gg9 2gg8.a -2ggi
2ggh.a -2ggr 2ggq.a -2pbi 8uh 2ggz.6 -2gh5.6 2gij.8 -2gir 2giq.a -2gj0 2giz.a -2gj9 2gj8 -2pe0 8uq 2gjl.6 -2gjr 2gjq.a
-2gk0 2gjz.a -2gk9 2gk8.a -2gki 2gkh.8 -2gkp 2gks.8 -2gl0 2gkz 7.2 -2gl9.2 2gll.6 -2glr -8v0 8uz.a -8v9 8v8.2 2gpo.1k
-2pmi 2pmh.14 -2gs0 2grz.a -2gs9 2gs8.a -2gsi 2gsh.a -2gsr 2gsq.a -2gt0 2gsz.a -2gt9 2gt8.a -2pp9 8vq 2gth.a -2gtr
2gtq.a -2gu0 2gtz.a -2gu9 2gu8.a -2gui 2guh.a -2gur 2guq.a -2gv0 2guz.a -2gv9 2gv8.a -2gvi 2gvh.a -2gvr 2gvq.a -2ps0
8vz 2gvz.a -2gw9 2gw8.a -2gwi 2gwh.a -2gwr 2gwq.a -2gx0 2gwz.a -2gx9 2gx8.a -2gxi 2gxh.a -2gxr 2gxq.a -2gy0 2gxz.a
-2gy9 2gy8.a -2pur 8w8 2gyh.a -2gyr 2gyq.a -2gz0 2gyz.a -2gz9 2gz8.a -2gzi 2gzh.a -2gzr 2gzq.a -2h00 2gzz.a -2h09
2h08.a -2h0i 2h0h.a -2h0r 2h0q.a -2pxi 8wh 2h0z.a -2h19 2h18.a -2h1i 2h1h.a -2h1r 2h1q.a -2h20 2h1z.a -2h29 2h28.a
-2h2i 2h2h.a -2h2r 2h2q.a -2h30 2h2z.a -2h39 2h38.a -2q09 8wq 2h3h.k -2h40 2h3z.a -2h49 2h48.a -2h4i 2h4h.a -2h4r
2h4q.a -2h50 2h4z.a -2h59 2h58.a -2h5i 2h5h.a -2h5r 2h5q.a -2q30 8wz 2h5z.a -2h69 2h68.a -2h6i 2h6h.a -2h6r 2h6q.a
-2h70 2h6z.a -2h79 2h78.a -2h7i 2h7h.a -2h7r 2h7q.a -2h80 2h7z.a -2h89 2h88.a -2q5r 8x8 2h8h.a -2h8r 2h8q.a -2h90
2h8z.a -2h99 2h98.a -2h9i 2h9h.a -2h9r 2h9q.a -2ha0 2h9z.a -2ha9 2ha8.a -2hai 2hah.a -2har 2haq.a -2q8i 8xh 2haz.a
-2hb9 2hb8.a -2hbi 2hbh.a -2hbr 2hbq.a -2hc0 2hbz.a -2hc9 2hc8.a -2hci 2hch.a -2hcr 2hcq.a -2hd0 2hcz.a -2hd9 2hd8.a
-2qb9 8xq 2hdh.a -2hdr 2hdq.a -2he0 2hdz.8 -2he7 2heb.7 -2hei 2heh.9 -2heq 2hes.8 -2hf0 2hez.5 3.2 -2hf9 2hf8.a -2hfi
2hfh.a -2hfr 2hfq.a -2qe0 8xz 2hfz.a -2hg9 2hg8.a -2hgi 2hgh.a -2hgr 2hgq.a -2hh0 2hgz.a -2hh9 2hh8.a -2hhi 2hhh.a
-2hhr 2hhq.a -2hi0 2hhz.4 -2hi3 2hie.4 -2qgr 8y8 2hih.a -2hir 2hiq.a -2hj0 2hiz.a -2hj9 2hj8.a -2hji 2hjh.a -2hjr
2hjq.a -2hk0 2hjz.a -2hk9 2hk8.a -2hki 2hkh.5 -2hkm 2hks.8 -2qji 8yh 2hkz.4 4 -2hl8.2 2hll.6 -2hlr 2hlq.6 -2hlw 2hlz.a
-2hm9 2hm8.a -2hmi 2hmh.a -2hmr 2hmq.a -2hn0 2hmz.a -2hn9 2hn8.6 -2qm5 8yq 2hnl.6 -2hnr 2hnq.4 -2hnu 2hnz.a -2ho9
2ho8.a -2hoi 2hoh.a -2hor 2hoq.a -2hp0 2hp7.2 -2hp9 2hp8.a -2hpi 2hph.a -2hpr 2hpq.8 -2qoy 8yz 2hpz.2 -2hq1.8 2hrz.a
-2hs9 2hs8.a -2qrr 8z8 2hsh.a -2hsr 2hsq.a -2ht0 2hsz.a -2ht9 2ht8.a -2hti 2hth.a -2htr 2htq.a -2hu0 2htz.a -2hu9
2hu8.a -2hui 2huh.a -2hur 2huq.a -2qui 8zh 2huz.a -2hv9 2hv8.a -2hvi 2hvh.a -2hvr 2hvq.a -2hw0 2hvz.a -2hw9 2hw8.a
-2hwi 2hwh.a -2hwr 2hwq.a -2hx0 2hwz.a -2hx9 2hx8.a -2qx9 8zq 2hxh.a -2hxr 2hxq.a -2hy0 2hxz.a -2hy9 2hy8.a -2hyi
2hyh.a -2hyr 2hyq.a -2hz0 2hyz.a -2hz9 2hz8.a -2hzi 2hzh.a -2hzr 2hzq.a -2r00 8zz 2hzz.a -2i09 2i08.a -2i0i.2 2i0s.8
-2i10 2i0z.6 2.2 -2i19 2i18.3 3.4 -2i1i 2i1h 3.6 -2i1r 2i1q -2i1r 2i1z.a -2i29 2i28.a -2r2r 908 2i2h.9 -2i2q 2i2s.8
-2i30 2i2z.3 5.2 -2i39 2i38.4 -2i3c 2i3l.6 -2i3r 2i3q.4 -2i3u 2i3z.8 -2i47 2i4e.4 -2i4i 2i4h.3 -2i4k 2i4s.8 -2r5i 90h
2i4z.a -2i59 2i58.a -2i5i 2i5h.a -2i5r 2i5q.a -2i60 2i5z.a -2i69 2i68.a -2i6i 2i6h.a -2i6r 2i6q.a -2i70 2i6z.a -2i79
2i78.a -2r89 90q 2i7h.a -2i7r 2i7q.a -2i80 2i7z.a -2i89 2i88.9 -2i8h 2i8h.a -2i8r 2i8q.a -2i90 2i8z.a -2i99 2i98.a
-2i9i 2i9h.a -2i9r 2i9q.5 -2rav 90z.4 2ias.8 -2ib0 2iaz.2 -2ib1.5 -919 918.a -91i 91h.a -91r 91q.a -920 91z.a -929
928.a -92i 92h.a -92r 92q.a -930 92z.a -939 938.a -93i 93h.8 2j0s.8 -2j10 2j0z.a -2j19 2j18.a -2s59 93q 2j1h.a -2j1r
2j1q.a -2j20 2j1z.a -2j29 2j28.a -2j2i 2j2h.a -2j2r 2j2q.a -2j30 2j2z.a -2j39 2j38.a -2j3i 2j3h.a -2j3r 2j3q.a -2s80
93z 2j3z.a -2j49 2j48.a -2j4i 2j4h.a -2j4r 2j4q.a -2j50 2j4z.a -2j59 2j58.a -2j5i 2j5h.a -2j5r 2j5q.a -2j60 2j5z.a
-2j69 2j68.a -2sar 948 2j6h.a -2j6r 2j6q.a -2j70 2j6z.a -2j79 2j78.a -2j7i 2j7h.a -2j7r 2j7q.a -2j80 2j7z.a -2j89
2j88.a -2j8i 2j8h.a -2j8r 2j8q.a -2sdi 94h 2j8z.a -2j99 2j98.a -2j9i 2j9h.a -2j9r 2j9q.a -2ja0 2j9z.a -2ja9 2ja8.a
-2jai 2jah.a -2jar 2jaq.a -2jb0 2jaz.a -2jb9 2jb8.a -2sg9 94q 2jbh.a -2jbr 2jbq.a -2jc0 2jbz.a -2jc9 2jc8.a -2jci
2jch.a -2jcr 2jcq.a -2jd0 2jcz.a -2jd9 2jd8.a -2jdi 2jdh.a -2jdr 2jdq.a -2sj0 94z 2jdz.a -2je9 2je8.a -2jei 2jeh.a
-2jer 2jeq.a -2jf0 2jez.a -2jf9 2jf8.a -2jfi 2jfh.a -2jfr 2jfq.a -2jg0 2jfz.a -2jg9 2jg8.a -2slr 958 2jgh.a -2jgr
2jgq.a -2jh0 2jgz.a -2jh9 2jh8.a -2jhi 2jhh.a -2jhr 2jhq.a -2ji0 2jhz.a -2ji9 2ji8.a -2jii 2jih.a -2jir 2jiq.a -2soi
95h 2jiz.a -2jj9 2jj8.a -2jji 2jjh.a -2jjr 2jjq.a -2jk0 2jjz.a -2jk9 2jk8.a -2jki 2jkh.a -2jkr 2jkq.a -2jl0 2jkz.a
-2jl9 2jl8.a -2sr9 95q 2jlh.a -2jlr 2jlq.a -2jm0 2jlz.a -2jm9 2jm8.a -2jmi 2jmh.a -2jmr 2jmq.a -2jn0 2jmz.a -2jn9
2jn8.a -2jni 2jnh.a -2jnr 2jnq.a -2su0 95z 2jnz.a -2jo9 2jo8.a -2joi 2joh.a -2jor 2joq.a -2jp0 2joz.a -2jp9 2jp8.a
-2jpi 2jph.a -2jpr 2jpq.a -2jq0 2jpz.a -2jq9 2jq8.a -2swr 968 2jqh.a -2jqr 2jqq.a -2jr0 2jqz.a -2jr9 2jr8.a -2jri
2jrh.a -2jrr 2jrq.a -2js0 2jrz.a -2js9 2js8.a -2jsi 2jsh.a -2jsr 2jsq.a -2szi 96h 2jsz.a -2jt9 2jt8.a -2jti 2jth.a
-2jtr 2jtq.a -2ju0 2jtz.a -2ju9 2ju8.a -2jui 2juh.a -2jur 2juq.a -2jv0 2juz.a -2jv9 2jv8.a -2t29 96q 2jvh.a -2jvr
2jvq.a -2jw0 2jvz.a -2jw9 2jw8.a -2jwi 2jwh.a -2jwr 2jwq.a -2jx0 2jwz.a -2jx9 2jx8.a -2jxi 2jxh.a -2jxr 2jxq.a -2t50
96z 2jxz.a -2jy9 2jy8.a -2jyi 2jyh.a -2jyr 2jyq.a -2jz0 2jyz.a -2jz9 2jz8.a -2jzi 2jzh.a -2jzr 2jzq.a -2k00 2jzz.a
-2k09 2k08.a -2t7r 978 2k0h.a -2k0r 2k0q.a -2k10 2k0z.a -2k19 2k18.a -2k1i 2k1h.a -2k1r 2k1q.a -2k20 2k1z.a -2k29
2k28.a -2k2i 2k2h.a -2k2r 2k2q.a -2tai 97h 2k2z.a -2k39 2k38.a -2k3i 2k3h.a -2k3r 2k3q.a -2k40 2k3z.a -2k49 2k48.a
-2k4i 2k4h.a -2k4r 2k4q.a -2k50 2k4z.a -2k59 2k58.a -2td9 97q 2k5h.a -2k5r 2k5q.a -2k60 2k5z.a -2k69 2k68.a -2k6i
2k6h.a -2k6r 2k6q.a -2k70 2k6z.a -2k79 2k78.a -2k7i 2k7h.a -2k7r 2k7q.a -2k80 2k7z.a -2k89 2k88.a -2k8i 2k8h.a -2k8r
2k8q.a -2k90 2k8z.a -2k99 2k98.a -2k9i 2k9h.a -2k9r 2k9q.a -2ka0 2k9z.a -2ka9 2ka8.a -2tir 988 2kah.a -2kar 2kaq.a
-2kb0 2kaz.a -2kb9 2kb8.a -2kbi 2kbh.a -2kbr 2kbq.a -2kc0 2kbz.a -2kc9 2kc8.a -2kci 2kch.a -2kcr 2kcq.a -2tli 98h
2kcz.a -2kd9 2kd8.a -2kdi 2kdh.a -2kdr 2kdq.a -2ke0 2kdz.a -2ke9 2ke8.a -2kei 2keh.a -2ker 2keq.a -2kf0 2kez.a -2kf9
2kf8.a -2to9 98q 2kfh.a -2kfr 2kfq.a -2kg0 2kfz.a -2kg9 2kg8.a -2kgi 2kgh.a -2kgr 2kgq.a -2kh0 2kgz.a -2kh9 2kh8.a
-2khi 2khh.a -2khr 2khq.a -2tr0 98z 2khz.a -2ki9 2ki8.a -2kii 2kih.a -2kir 2kiq.a -2kj0 2kiz.a -2kj9 2kj8.a -2kji
2kjh.a -2kjr 2kjq.a -2kk0 2kjz.a -2kk9 2kk8.a -2ttr 998 2kkh.a -2kkr 2kkq.a -2kl0 2kkz.a -2kl9 2kl8.a -2kli 2klh.a
-2klr 2klq.a -2km0 2klz.a -2km9 2km8.a -2kmi 2kmh.a -2kmr 2kmq.a -2twi 99h 2kmz.a -2kn9 2kn8.a -2kni 2knh.a -2knr
2knq.a -2ko0 2knz.a -2ko9 2ko8.a -2koi 2koh.a -2kor 2koq.a -2kp0 2koz.a -2kp9 2kp8.a -2tz9 99q 2kph.a -2kpr 2kpq.a
-2kq0 2kpz.a -2kq9 2kq8.a -2kqi 2kqh.a -2kqr 2kqq.a -2kr0 2kqz.a -2kr9 2kr8.a -2kri 2krh.a -2krr 2krq.a -2u20 99z
2krz.a -2ks9 2ks8.a -2ksi 2ksh.a -2ksr 2ksq.a -2kt0 2ksz.a -2kt9 2kt8.a -2kti 2kth.a -2ktr 2ktq.a -2ku0 2ktz.a -2ku9
2ku8.a -2u4r 9a8 2kuh.a -2kur 2kuq.a -2kv0 2kuz.a -2kv9 2kv8.a -2kvi 2kvh.a -2kvr 2kvq.a -2kw0 2kvz.a -2kw9 2kw8.a
-2kwi 2kwh.a -2kwr 2kwq.a -2u7i 9ah 2kwz.a -2kx9 2kx8.a -2kxi 2kxh.a -2kxr 2kxq.a -2ky0 2kxz.a -2ky9 2ky8.a -2kyi
2kyh.a -2kyr 2kyq.a -2kz0 2kyz.a -2kz9 2kz8.a -2ua9 9aq 2kzh.a -2kzr 2kzq.a -2l00 2kzz.a -2l09 2l08.a -2l0i 2l0h.a
-2l0r 2l0q.a -2l10 2l0z.a -2l19 2l18.a -2l1i 2l1h.a -2l1r 2l1q.a -2ud0 9az 2l1z.a -2l29 2l28.a -2l2i 2l2h.a -2l2r
2l2q.a -2l30 2l2z.a -2l39 2l38.a -2l3i 2l3h.a -2l3r 2l3q.a -2l40 2l3z.a -2l49 2l48.a -2ufr 9b8 2l4h.a -2l4r 2l4q.a
-2l50 2l4z.a -2l59 2l58.a -2l5i 2l5h.a -2l5r 2l5q.a -2l60 2l5z.a -2l69 2l68.a -2l6i 2l6h.a -2l6r 2l6q.a -2uii 9bh
2l6z.a -2l79 2l78.a -2l7i 2l7h.a -2l7r 2l7q.a -2l80 2l7z.a -2l89 2l88.a -2l8i 2l8h.a -2l8r 2l8q.a -2l90 2l8z.a -2l99
2l98.a -2ul9 9bq 2l9h.a -2l9r 2l9q.a -2la0 2l9z.a -2la9 2la8.a -2lai 2lah.a -2lar 2laq.a -2lb0 2laz.a -2lb9 2lb8.a
-2lbi 2lbh.a -2lbr 2lbq.a -2uo0 9bz 2lbz.a -2lc9 2lc8.a -2lci 2lch.a -2lcr 2lcq.a -2ld0 2lcz.a -2ld9 2ld8.a -2ldi
2ldh.a -2ldr 2ldq.a -2le0 2ldz.a -2le9 2le8.a -2uqr 9c8 2leh.a -2ler 2leq.a -2lf0 2lez.a -2lf9 2lf8.a -2lfi 2lfh.a
-2lfr 2lfq.a -2lg0 2lfz.a -2lg9 2lg8.a -2lgi 2lgh.a -2lgr 2lgq.a -2uti 9ch 2lgz.a -2lh9 2lh8.a -2lhi 2lhh.a -2lhr
2lhq.a -2li0 2lhz.a -2li9 2li8.a -2lii 2lih.a -2lir 2liq.a -2lj0 2liz.a -2lj9 2lj8.a -2uw9 9cq 2ljh.a -2ljr 2ljq.a
-2lk0 2ljz.a -2lk9 2lk8.a -2lki 2lkh.a -2lkr 2lkq.a -2ll0 2lkz.a -2ll9 2ll8.a -2lli 2llh.a -2llr 2llq.a -2uz0 9cz
2llz.a -2lm9 2lm8.a -2lmi 2lmh.a -2lmr 2lmq.a -2ln0 2lmz.a -2ln9 2ln8.a -2lni 2lnh.a -2lnr 2lnq.a -2lo0 2lnz.a -2lo9
2lo8.a -2v1r 9d8 2loh.a -2lor 2loq.a -2lp0 2loz.a -2lp9 2lp8.a -2lpi 2lph.a -2lpr 2lpq.a -2lq0 2lpz.a -2lq9 2lq8.a
-2lqi 2lqh.a -2lqr 2lqq.a -2v4i 9dh 2lqz.a -2lr9 2lr8.a -2lri 2lrh.a -2lrr 2lrq.a -2ls0 2lrz.a -2ls9 2ls8.a -2lsi
2lsh.a -2lsr 2lsq.a -2lt0 2lsz.a -2lt9 2lt8.a -2v79 9dq 2lth.a -2ltr 2ltq.a -2lu0 2ltz.a -2lu9 2lu8.a -2lui 2luh.a
-2lur 2luq.a -2lv0 2luz.a -2lv9 2lv8.a -2lvi 2lvh.a -2lvr 2lvq.a -2va0 9dz 2lvz.a -2lw9 2lw8.a -2lwi 2lwh.a -2lwr
2lwq.a -2lx0 2lwz.a -2lx9 2lx8.a -2lxi 2lxh.a -2lxr 2lxq.a -2ly0 2lxz.a -2ly9 2ly8.a -2vcr 9e8 2lyh.a -2lyr 2lyq.a
-2lz0 2lyz.a -2lz9 2lz8.a -2lzi 2lzh.a -2lzr 2lzq.a -2m00 2lzz.a -2m09 2m08.a -2m0i 2m0h.a -2m0r 2m0q.a -2vfi 9eh
2m0z.a -2m19 2m18.a -2m1i 2m1h.a -2m1r 2m1q.a -2m20 2m1z.a -2m29 2m28.a -2m2i 2m2h.a -2m2r 2m2q.a -2m30 2m2z.a -2m39
2m38.a -2vi9 9eq 2m3h.a -2m3r 2m3q.a -2m40 2m3z.a -2m49 2m48.a -2m4i 2m4h.a -2m4r 2m4q.a -2m50 2m4z.a -2m59 2m58.a
-2m5i 2m5h.a -2m5r 2m5q.a -2vl0 9ez 2m5z.a -2m69 2m68.a -2m6i 2m6h.a -2m6r 2m6q.a -2m70 2m6z.a -2m79 2m78.a -2m7i
2m7h.a -2m7r 2m7q.a -2m80 2m7z.a -2m89 2m88.a -2vnr 9f8 2m8h.a -2m8r 2m8q.a -2m90 2m8z.a -2m99 2m98.a -2m9i 2m9h.a
-2m9r 2m9q.a -2ma0 2m9z.a -2ma9 2ma8.a -2mai 2mah.a -2mar 2maq.a -2vqi 9fh 2maz.a -2mb9 2mb8.a -2mbi 2mbh.a -2mbr
2mbq.a -2mc0 2mbz.a -2mc9 2mc8.a -2mci 2mch.a -2mcr 2mcq.a -2md0 2mcz.a -2md9 2md8.a -2vt9 9fq 2mdh.a -2mdr 2mdq.a
-2me0 2mdz.a -2me9 2me8.a -2mei 2meh.a -2mer 2meq.a -2mf0 2mez.a -2mf9 2mf8.a -2mfi 2mfh.a -2mfr 2mfq.a -2vw0 9fz
2mfz.a -2mg9 2mg8.a -2mgi 2mgh.a -2mgr 2mgq.a -2mh0 2mgz.a -2mh9 2mh8.a -2mhi 2mhh.a -2mhr 2mhq.a -2mi0 2mhz.a -2mi9
2mi8.a -2vyr 9g8 2mih.a -2mir 2miq.a -2mj0 2miz.a -2mj9 2mj8.a -2mji 2mjh.a -2mjr 2mjq.a -2mk0 2mjz.a -2mk9 2mk8.a
-2mki 2mkh.a -2mkr 2mkq.a -2w1i 9gh 2mkz.a -2ml9 2ml8.a -2mli 2mlh.a -2mlr 2mlq.a -2mm0 2mlz.a -2mm9 2mm8.a -2mmi
2mmh.a -2mmr 2mmq.a -2mn0 2mmz.a -2mn9 2mn8.a -2w49 9gq 2mnh.a -2mnr 2mnq.a -2mo0 2mnz.a -2mo9 2mo8.a -2moi 2moh.a
-2mor 2moq.a -2mp0 2moz.a -2mp9 2mp8.a -2mpi 2mph.a -2mpr 2mpq.a -2w70 9gz 2mpz.a -2mq9 2mq8.a -2mqi 2mqh.a -2mqr
2mqq.a -2mr0 2mqz.a -2mr9 2mr8.a -2mri 2mrh.a -2mrr 2mrq.a -2ms0 2mrz.a -2ms9 2ms8.a -2w9r 9h8 2msh.a -2msr 2msq.a
-2mt0 2msz.a -2mt9 2mt8.a -2mti 2mth.a -2mtr 2mtq.a -2mu0 2mtz.a -2mu9 2mu8.a -2mui 2muh.a -2mur 2muq.a -2wci 9hh
2muz.a -2mv9 2mv8.a -2mvi 2mvh.a -2mvr 2mvq.a -2mw0 2mvz.a -2mw9 2mw8.a -2mwi 2mwh.a -2mwr 2mwq.a -2mx0 2mwz.a -2mx9
2mx8.a -2mxi 2mxh.a -2mxr 2mxq.a -2my0 2mxz.a -2my9 2my8.a -2myi 2myh.a -2myr 2myq.a -2mz0 2myz.a -2mz9 2mz8.a -2mzi
2mzh.a -2mzr 2mzq.a -2n00 2mzz.a -2n09 2n08.a -2n0i 2n0h.a -2n0r 2n0q.a -2n10 2n0z.a -2n19 2n18.a -2n1i 2n1h.a -2n1r
2n1q.a -2n20 2n1z.a -2n29 2n28.a -2wkr 9i8 2n2h.a -2n2r 2n2q.a -2n30 2n2z.a -2n39 2n38.a -2n3i 2n3h.a -2n3r 2n3q.a
-2n40 2n3z.a -2n49 2n48.a -2n4i 2n4h.a -2n4r 2n4q.a -2wni 9ih 2n4z.a -2n59 2n58.a -2n5i 2n5h.a -2n5r 2n5q.a -2n60
2n5z.a -2n69 2n68.a -2n6i 2n6h.a -2n6r 2n6q.a -2n70 2n6z.a -2n79 2n78.a -2wq9 9iq 2n7h.a -2n7r 2n7q.a -2n80 2n7z.a
-2n89 2n88.a -2n8i 2n8h.a -2n8r 2n8q.a -2n90 2n8z.a -2n99 2n98.a -2n9i 2n9h.a -2n9r 2n9q.a -2wt0 9iz 2n9z.a -2na9
2na8.a -2nai 2nah.a -2nar 2naq.a -2nb0 2naz.a -2nb9 2nb8.a -2nbi 2nbh.a -2nbr 2nbq.a -2nc0 2nbz.a -2nc9 2nc8.a -2wvr
9j8 2nch.a -2ncr 2ncq.a -2nd0 2ncz.a -2nd9 2nd8.a -2ndi 2ndh.a -2ndr 2ndq.a -2ne0 2ndz.a -2ne9 2ne8.a -2nei 2neh.a
-2ner 2neq.a -2wyi 9jh 2nez.a -2nf9 2nf8.a -2nfi 2nfh.a -2nfr 2nfq.a -2ng0 2nfz.a -2ng9 2ng8.a -2ngi 2ngh.a -2ngr
2ngq.a -2nh0 2ngz.a -2nh9 2nh8.a -2x19 9jq 2nhh.a -2nhr 2nhq.a -2ni0 2nhz.a -2ni9 2ni8.a -2nii 2nih.a -2nir 2niq.a
-2nj0 2niz.a -2nj9 2nj8.a -2nji 2njh.a -2njr 2njq.a -2x40 9jz 2njz.a -2nk9 2nk8.a -2nki 2nkh.a -2nkr 2nkq.a -2nl0
2nkz.a -2nl9 2nl8.a -2nli 2nlh.a -2nlr 2nlq.a -2nm0 2nlz.a -2nm9 2nm8.a -2x6r 9k8 2nmh.a -2nmr 2nmq.a -2nn0 2nmz.a
-2nn9 2nn8.a -2nni 2nnh.a -2nnr 2nnq.a -2no0 2nnz.a -2no9 2no8.a -2noi 2noh.a -2nor 2noq.a -2x9i 9kh 2noz.a -2np9
2np8.a -2npi 2nph.a -2npr 2npq.a -2nq0 2npz.a -2nq9 2nq8.a -2nqi 2nqh.a -2nqr 2nqq.a -2nr0 2nqz.a -2nr9 2nr8.a -2xc9
9kq 2nrh.a -2nrr 2nrq.a -2ns0 2nrz.a -2ns9 2ns8.a -2nsi 2nsh.a -2nsr 2nsq.a -2nt0 2nsz.a -2nt9 2nt8.a -2nti 2nth.a
-2ntr 2ntq.a -2xf0 9kz 2ntz.a -2nu9 2nu8.a -2nui 2nuh.a -2nur 2nuq.a -2nv0 2nuz.a -2nv9 2nv8.a -2nvi 2nvh.a -2nvr
2nvq.a -2nw0 2nvz.a -2nw9 2nw8.a -2xhr 9l8 2nwh.a -2nwr 2nwq.a -2nx0 2nwz.a -2nx9 2nx8.a -2nxi 2nxh.a -2nxr 2nxq.a
-2ny0 2nxz.a -2ny9 2ny8.a -2nyi 2nyh.a -2nyr 2nyq.a -2xki 9lh 2nyz.a -2nz9 2nz8.a -2nzi 2nzh.a -2nzr 2nzq.a -2o00
2nzz.a -2o09 2o08.a -2o0i 2o0h.a -2o0r 2o0q.a -2o10 2o0z.a -2o19 2o18.a -2xn9 9lq 2o1h.a -2o1r 2o1q.a -2o20 2o1z.a
-2o29 2o28.a -2o2i 2o2h.a -2o2r 2o2q.a -2o30 2o2z.a -2o39 2o38.a -2o3i 2o3h.a -2o3r 2o3q.a -2xq0 9lz 2o3z.a -2o49
2o48.a -2o4i 2o4h.a -2o4r 2o4q.a -2o50 2o4z.a -2o59 2o58.a -2o5i 2o5h.a -2o5r 2o5q.a -2o60 2o5z.a -2o69 2o68.a -2xsr
9m8 2o6h.a -2o6r 2o6q.a -2o70 2o6z.a -2o79 2o78.a -2o7i 2o7h.a -2o7r 2o7q.a -2o80 2o7z.a -2o89 2o88.a -2o8i 2o8h.a
-2o8r 2o8q.a -2xvi 9mh 2o8z.a -2o99 2o98.a -2o9i 2o9h.a -2o9r 2o9q.a -2oa0 2o9z.a -2oa9 2oa8.a -2oai 2oah.a -2oar
2oaq.a -2ob0 2oaz.a -2ob9 2ob8.a -2xy9 9mq 2obh.a -2obr 2obq.a -2oc0 2obz.a -2oc9 2oc8.a -2oci 2och.a -2ocr 2ocq.a
-2od0 2ocz.a -2od9 2od8.a -2odi 2odh.a -2odr 2odq.a -2y10 9mz 2odz.a -2oe9 2oe8.a -2oei 2oeh.a -2oer 2oeq.a -2of0
2oez.a -2of9 2of8.a -2ofi 2ofh.a -2ofr 2ofq.a -2og0 2ofz.a -2og9 2og8.a -2y3r 9n8 2ogh.a -2ogr 2ogq.a -2oh0 2ogz.a
-2oh9 2oh8.a -2ohi 2ohh.a -2ohr 2ohq.a -2oi0 2ohz.a -2oi9 2oi8.a -2oii 2oih.a -2oir 2oiq.a -2y6i 9nh 2oiz.a -2oj9
2oj8.a -2oji 2ojh.a -2ojr 2ojq.a -2ok0 2ojz.a -2ok9 2ok8.a -2oki 2okh.a -2okr 2okq.a -2ol0 2okz.a -2ol9 2ol8.a -2y99
9nq 2olh.a -2olr 2olq.a -2om0 2olz.a -2om9 2om8.a -2omi 2omh.a -2omr 2omq.a -2on0 2omz.a -2on9 2on8.a -2oni 2onh.a
-2onr 2onq.a -2yc0 9nz 2onz.a -2oo9 2oo8.a -2ooi 2ooh.a -2oor 2ooq.a -2op0 2ooz.a -2op9 2op8.a -2opi 2oph.a -2opr
2opq.a -2oq0 2opz.a -2oq9 2oq8.a -2yer 9o8 2oqh.a -2oqr 2oqq.a -2or0 2oqz.a -2or9 2or8.a -2ori 2orh.a -2orr 2orq.a
-2os0 2orz.a -2os9 2os8.a -2osi 2osh.a -2osr 2osq.a -2yhi 9oh 2osz.a -2ot9 2ot8.a -2oti 2oth.a -2otr 2otq.a -2ou0
2otz.a -2ou9 2ou8.a -2oui 2ouh.a -2our 2ouq.a -2ov0 2ouz.a -2ov9 2ov8.a -2yk9 9oq 2ovh.a -2ovr 2ovq.a -2ow0 2ovz.a
-2ow9 2ow8.a -2owi 2owh.a -2owr 2owq.a -2ox0 2owz.a -2ox9 2ox8.a -2oxi 2oxh.a -2oxr 2oxq.a -2yn0 9oz 2oxz.a -2oy9
2oy8.a -2oyi 2oyh.a -2oyr 2oyq.a -2oz0 2oyz.a -2oz9 2oz8.a -2ozi 2ozh.a -2ozr 2ozq.a -2p00 2ozz.a -2p09 2p08.a -2ypr
9p8 2p0h.a -2p0r 2p0q.a -2p10 2p0z.a -2p19 2p18.a -2p1i 2p1h.a -2p1r 2p1q.a -2p20 2p1z.a -2p29 2p28.a -2p2i 2p2h.a
-2p2r 2p2q.a -2ysi 9ph 2p2z.a -2p39 2p38.a -2p3i 2p3h.a -2p3r 2p3q.a -2p40 2p3z.a -2p49 2p48.a -2p4i 2p4h.a -2p4r
2p4q.a -2p50 2p4z.a -2p59 2p58.a -2yv9 9pq 2p5h.a -2p5r 2p5q.a -2p60 2p5z.a -2p69 2p68.a -2p6i 2p6h.a -2p6r 2p6q.a
-2p70 2p6z.a -2p79 2p78.a -2p7i 2p7h.a -2p7r 2p7q.a -2yy0 9pz 2p7z.a -2p89 2p88.a -2p8i 2p8h.a -2p8r 2p8q.a -2p90
2p8z.a -2p99 2p98.a -2p9i 2p9h.a -2p9r 2p9q.a -2pa0 2p9z.a -2pa9 2pa8.a -2z0r 9q8 2pah.a -2par 2paq.a -2pb0 2paz.a
-2pb9 2pb8.a -2pbi 2pbh.a -2pbr 2pbq.a -2pc0 2pbz.a -2pc9 2pc8.a -2pci 2pch.a -2pcr 2pcq.a -2z3i 9qh 2pcz.a -2pd9
2pd8.a -2pdi 2pdh.a -2pdr 2pdq.a -2pe0 2pdz.a -2pe9 2pe8.a -2pei 2peh.a -2per 2peq.a -2pf0 2pez.a -2pf9 2pf8.a -2z69
9qq 2pfh.a -2pfr 2pfq.a -2pg0 2pfz.a -2pg9 2pg8.a -2pgi 2pgh.a -2pgr 2pgq.a -2ph0 2pgz.a -2ph9 2ph8.a -2phi 2phh.a
-2phr 2phq.a -2z90 9qz 2phz.a -2pi9 2pi8.a -2pii 2pih.a -2pir 2piq.a -2pj0 2piz.a -2pj9 2pj8.a -2pji 2pjh.a -2pjr
2pjq.a -2pk0 2pjz.a -2pk9 2pk8.a -2zbr 9r8 2pkh.a -2pkr 2pkq.a -2pl0 2pkz.a -2pl9 2pl8.a -2pli 2plh.a -2plr 2plq.a
-2pm0 2plz.a -2pm9 2pm8.a -2pmi 2pmh.a -2pmr 2pmq.a -2zei 9rh 2pmz.a -2pn9 2pn8.a -2pni 2pnh.a -2pnr 2pnq.a -2po0
2pnz.a -2po9 2po8.a -2poi 2poh.a -2por 2poq.a -2pp0 2poz.a -2pp9 2pp8.a -2zh9 9rq 2pph.a -2ppr 2ppq.a -2pq0 2ppz.a
-2pq9 2pq8.a -2pqi 2pqh.a -2pqr 2pqq.a -2pr0 2pqz.a -2pr9 2pr8.a -2pri 2prh.a -2prr 2prq.a -2zk0 9rz 2prz.a -2ps9
2ps8.a -2psi 2psh.a -2psr 2psq.a -2pt0 2psz.a -2pt9 2pt8.a -2pti 2pth.a -2ptr 2ptq.a -2pu0 2ptz.a -2pu9 2pu8.a -2zmr
9s8 2puh.a -2pur 2puq.a -2pv0 2puz.a -2pv9 2pv8.a -2pvi 2pvh.a -2pvr 2pvq.a -2pw0 2pvz.a -2pw9 2pw8.a -2pwi 2pwh.a
-2pwr 2pwq.a -2zpi 9sh 2pwz.a -2px9 2px8.a -2pxi 2pxh.a -2pxr 2pxq.a -2py0 2pxz.a -2py9 2py8.a -2pyi 2pyh.a -2pyr
2pyq.a -2pz0 2pyz.a -2pz9 2pz8.a -2zs9 9sq 2pzh.a -2pzr 2pzq.a -2q00 2pzz.a -2q09 2q08.a -2q0i 2q0h.a -2q0r 2q0q.a
-2q10 2q0z.a -2q19 2q18.a -2q1i 2q1h.a -2q1r 2q1q.a -2zv0 9sz 2q1z.a -2q29 2q28.a -2q2i 2q2h.a -2q2r 2q2q.a -2q30
2q2z.a -2q39 2q38.a -2q3i 2q3h.a -2q3r 2q3q.a -2q40 2q3z.a -2q49 2q48.a -2zxr 9t8 2q4h.a -2q4r 2q4q.a -2q50 2q4z.a
-2q59 2q58.a -2q5i 2q5h.a -2q5r 2q5q.a -2q60 2q5z.a -2q69 2q68.a -2q6i 2q6h.a -2q6r 2q6q.a -300i 9th 2q6z.a -2q79
2q78.a -2q7i 2q7h.a -2q7r 2q7q.a -2q80 2q7z.a -2q89 2q88.a -2q8i 2q8h.a -2q8r 2q8q.a -2q90 2q8z.a -2q99 2q98.a -3039
9tq 2q9h.a -2q9r 2q9q.a -2qa0 2q9z.a -2qa9 2qa8.a -2qai 2qah.a -2qar 2qaq.a -2qb0 2qaz.a -2qb9 2qb8.a -2qbi 2qbh.a
-2qbr 2qbq.a -3060 9tz 2qbz.a -2qc9 2qc8.a -2qci 2qch.a -2qcr 2qcq.a -2qd0 2qcz.a -2qd9 2qd8.a -2qdi 2qdh.a -2qdr
2qdq.a -2qe0 2qdz.a -2qe9 2qe8.a -308r 9u8 2qeh.a -2qer 2qeq.a -2qf0 2qez.a -2qf9 2qf8.a -2qfi 2qfh.a -2qfr 2qfq.a
-2qg0 2qfz.a -2qg9 2qg8.a -2qgi 2qgh.a -2qgr 2qgq.a -30bi 9uh 2qgz.a -2qh9 2qh8.a -2qhi 2qhh.a -2qhr 2qhq.a -2qi0
2qhz.a -2qi9 2qi8.a -2qii 2qih.a -2qir 2qiq.a -2qj0 2qiz.a -2qj9 2qj8.a -2qji 2qjh.a -2qjr 2qjq.a -2qk0 2qjz.a -2qk9
2qk8.a -2qki 2qkh.a -2qkr 2qkq.a -2ql0 2qkz.a -2ql9 2ql8.a -2qli 2qlh.a -2qlr 2qlq.a -2qm0 2qlz.a -2qm9 2qm8.a -2qmi
2qmh.a -2qmr 2qmq.a -2qn0 2qmz.a -2qn9 2qn8.a -2qni 2qnh.a -2qnr 2qnq.a -2qo0 2qnz.a -2qo9 2qo8.a -30jr 9v8 2qoh.a
-2qor 2qoq.a -2qp0 2qoz.a -2qp9 2qp8.a -2qpi 2qph.a -2qpr 2qpq.a -2qq0 2qpz.a -2qq9 2qq8.a -2qqi 2qqh.a -2qqr 2qqq.a
-30mi 9vh 2qqz.a -2qr9 2qr8.a -2qri 2qrh.a -2qrr 2qrq.a -2qs0 2qrz.a -2qs9 2qs8.a -2qsi 2qsh.a -2qsr 2qsq.a -2qt0
2qsz.a -2qt9 2qt8.a -30p9 9vq 2qth.a -2qtr 2qtq.a -2qu0 2qtz.a -2qu9 2qu8.a -2qui 2quh.a -2qur 2quq.a -2qv0 2quz.a
-2qv9 2qv8.a -2qvi 2qvh.a -2qvr 2qvq.a -2qw0 2qvz.a -2qw9 2qw8.a -2qwi 2qwh.a -2qwr 2qwq.a -2qx0 2qwz.a -2qx9 2qx8.a
-2qxi 2qxh.a -2qxr 2qxq.a -2qy0 2qxz.a -2qy9 2qy8.a -30ur 9w8 2qyh.a -2qyr 2qyq.a -2qz0 2qyz.a -2qz9 2qz8.a -2qzi
2qzh.a -2qzr 2qzq.a -2r00 2qzz.a -2r09 2r08.a -2r0i 2r0h.a -2r0r 2r0q.a -30xi 9wh 2r0z.a -2r19 2r18.a -2r1i 2r1h.a
-2r1r 2r1q.a -2r20 2r1z.a -2r29 2r28.a -2r2i 2r2h.a -2r2r 2r2q.a -2r30 2r2z.a -2r39 2r38.a -3109 9wq 2r3h.a -2r3r
2r3q.a -2r40 2r3z.a -2r49 2r48.a -2r4i 2r4h.a -2r4r 2r4q.a -2r50 2r4z.a -2r59 2r58.a -2r5i 2r5h.a -2r5r 2r5q.a -3130
9wz 2r5z.a -2r69 2r68.a -2r6i 2r6h.a -2r6r 2r6q.a -2r70 2r6z.a -2r79 2r78.a -2r7i 2r7h.a -2r7r 2r7q.a -2r80 2r7z.a
-2r89 2r88.a -315r 9x8 2r8h.a -2r8r 2r8q.a -2r90 2r8z.a -2r99 2r98.a -2r9i 2r9h.a -2r9r 2r9q.a -2ra0 2r9z.a -2ra9
2ra8.a -2rai 2rah.a -2rar 2raq.a -318i 9xh 2raz.a -2rb9 2rb8.a -2rbi 2rbh.a -2rbr 2rbq.a -2rc0 2rbz.a -2rc9 2rc8.a
-2rci 2rch.a -2rcr 2rcq.a -2rd0 2rcz.a -2rd9 2rd8.a -31b9 9xq 2rdh.a -2rdr 2rdq.a -2re0 2rdz.a -2re9 2re8.a -2rei
2reh.a -2rer 2req.a -2rf0 2rez.a -2rf9 2rf8.a -2rfi 2rfh.a -2rfr 2rfq.a -31e0 9xz 2rfz.a -2rg9 2rg8.a -2rgi 2rgh.a
-2rgr 2rgq.a -2rh0 2rgz.a -2rh9 2rh8.a -2rhi 2rhh.a -2rhr 2rhq.a -2ri0 2rhz.a -2ri9 2ri8.a -31gr 9y8 2rih.a -2rir
2riq.a -2rj0 2riz.a -2rj9 2rj8.a -2rji 2rjh.a -2rjr 2rjq.a -2rk0 2rjz.a -2rk9 2rk8.a -2rki 2rkh.a -2rkr 2rkq.a -31ji
9yh 2rkz.a -2rl9 2rl8.a -2rli 2rlh.a -2rlr 2rlq.a -2rm0 2rlz.a -2rm9 2rm8.a -2rmi 2rmh.a -2rmr 2rmq.a -2rn0 2rmz.a
-2rn9 2rn8.a -31m9 9yq 2rnh.a -2rnr 2rnq.a -2ro0 2rnz.a -2ro9 2ro8.a -2roi 2roh.a -2ror 2roq.a -2rp0 2roz.a -2rp9
2rp8.a -2rpi 2rph.a -2rpr 2rpq.a -31p0 9yz 2rpz.a -2rq9 2rq8.a -2rqi 2rqh.a -2rqr 2rqq.a -2rr0 2rqz.a -2rr9 2rr8.a
-2rri 2rrh.a -2rrr 2rrq.a -2rs0 2rrz.a -2rs9 2rs8.a -31rr 9z8 2rsh.a -2rsr 2rsq.a -2rt0 2rsz.a -2rt9 2rt8.a -2rti
2rth.a -2rtr 2rtq.a -2ru0 2rtz.a -2ru9 2ru8.a -2rui 2ruh.a -2rur 2ruq.a -31ui 9zh 2ruz.a -2rv9 2rv8.a -2rvi 2rvh.a
-2rvr 2rvq.a -2rw0 2rvz.a -2rw9 2rw8.a -2rwi 2rwh.a -2rwr 2rwq.a -2rx0 2rwz.a -2rx9 2rx8.a -31x9 9zq 2rxh.a -2rxr
2rxq.a -2ry0 2rxz.a -2ry9 2ry8.a -2ryi 2ryh.a -2ryr 2ryq.a -2rz0 2ryz.a -2rz9 2rz8.a -2rzi 2rzh.a -2rzr 2rzq.a -3200
9zz 2rzz.a -2s09 2s08.a -2s0i 2s0h.a -2s0r 2s0q.a -2s10 2s0z.a -2s19 2s18.a -2s1i 2s1h.a -2s1r 2s1q.a -2s20 2s1z.a
-2s29 2s28.a -322r a08 2s2h.a -2s2r 2s2q.a -2s30 2s2z.a -2s39 2s38.a -2s3i 2s3h.a -2s3r 2s3q.a -2s40 2s3z.a -2s49
2s48.a -2s4i 2s4h.a -2s4r 2s4q.a -325i a0h 2s4z.a -2s59 2s58.a -2s5i 2s5h.a -2s5r 2s5q.a -2s60 2s5z.a -2s69 2s68.a
-2s6i 2s6h.a -2s6r 2s6q.a -2s70 2s6z.a -2s79 2s78.a -3289 a0q 2s7h.a -2s7r 2s7q.a -2s80 2s7z.a -2s89 2s88.a -2s8i
2s8h.a -2s8r 2s8q.a -2s90 2s8z.a -2s99 2s98.a -2s9i 2s9h.a -2s9r 2s9q.a -32b0 a0z 2s9z.a -2sa9 2sa8.a -2sai 2sah.a
-2sar 2saq.a -2sb0 2saz.a -2sb9 2sb8.a -2sbi 2sbh.a -2sbr 2sbq.a -2sc0 2sbz.a -2sc9 2sc8.a -32dr a18 2sch.a -2scr
2scq.a -2sd0 2scz.a -2sd9 2sd8.a -2sdi 2sdh.a -2sdr 2sdq.a -2se0 2sdz.a -2se9 2se8.a -2sei 2seh.a -2ser 2seq.a -32gi
a1h 2sez.a -2sf9 2sf8.a -2sfi 2sfh.a -2sfr 2sfq.a -2sg0 2sfz.a -2sg9 2sg8.a -2sgi 2sgh.a -2sgr 2sgq.a -2sh0 2sgz.a
-2sh9 2sh8.a -32j9 a1q 2shh.a -2shr 2shq.a -2si0 2shz.a -2si9 2si8.a -2sii 2sih.a -2sir 2siq.a -2sj0 2siz.a -2sj9
2sj8.a -2sji 2sjh.a -2sjr 2sjq.a -32m0 a1z 2sjz.a -2sk9 2sk8.a -2ski 2skh.a -2skr 2skq.a -2sl0 2skz.a -2sl9 2sl8.a
-2sli 2slh.a -2slr 2slq.a -2sm0 2slz.a -2sm9 2sm8.a -32or a28 2smh.a -2smr 2smq.a -2sn0 2smz.a -2sn9 2sn8.a -2sni
2snh.a -2snr 2snq.a -2so0 2snz.a -2so9 2so8.a -2soi 2soh.a -2sor 2soq.a -32ri a2h 2soz.a -2sp9 2sp8.a -2spi 2sph.a
-2spr 2spq.a -2sq0 2spz.a -2sq9 2sq8.a -2sqi 2sqh.a -2sqr 2sqq.a -2sr0 2sqz.a -2sr9 2sr8.a -32u9 a2q 2srh.a -2srr
2srq.a -2ss0 2srz.a -2ss9 2ss8.a -2ssi 2ssh.a -2ssr 2ssq.a -2st0 2ssz.a -2st9 2st8.a -2sti 2sth.a -2str 2stq.a -32x0
a2z 2stz.a -2su9 2su8.a -2sui 2suh.a -2sur 2suq.a -2sv0 2suz.a -2sv9 2sv8.a -2svi 2svh.a -2svr 2svq.a -2sw0 2svz.a
-2sw9 2sw8.a -32zr a38 2swh.a -2swr 2swq.a -2sx0 2swz.a -2sx9 2sx8.a -2sxi 2sxh.a -2sxr 2sxq.a -2sy0 2sxz.a -2sy9
2sy8.a -2syi 2syh.a -2syr 2syq.a -332i a3h 2syz.a -2sz9 2sz8.a -2szi 2szh.a -2szr 2szq.a -2t00 2szz.a -2t09 2t08.a
-2t0i 2t0h.a -2t0r 2t0q.a -2t10 2t0z.a -2t19 2t18.a -3359 a3q 2t1h.a -2t1r 2t1q.a -2t20 2t1z.a -2t29 2t28.a -2t2i
2t2h.a -2t2r 2t2q.a -2t30 2t2z.a -2t39 2t38.a -2t3i 2t3h.a -2t3r 2t3q.a -3380 a3z 2t3z.a -2t49 2t48.a -2t4i 2t4h.a
-2t4r 2t4q.a -2t50 2t4z.a -2t59 2t58.a -2t5i 2t5h.a -2t5r 2t5q.a -2t60 2t5z.a -2t69 2t68.a -33ar a48 2t6h.a -2t6r
2t6q.a -2t70 2t6z.a -2t79 2t78.a -2t7i 2t7h.a -2t7r 2t7q.a -2t80 2t7z.a -2t89 2t88.a -2t8i 2t8h.a -2t8r 2t8q.a -33di
a4h 2t8z.a -2t99 2t98.a -2t9i 2t9h.a -2t9r 2t9q.a -2ta0 2t9z.a -2ta9 2ta8.a -2tai 2tah.a -2tar 2taq.a -2tb0 2taz.a
-2tb9 2tb8.a -33g9 a4q 2tbh.a -2tbr 2tbq.a -2tc0 2tbz.a -2tc9 2tc8.a -2tci 2tch.a -2tcr 2tcq.a -2td0 2tcz.a -2td9
2td8.a -2tdi 2tdh.a -2tdr 2tdq.a -33j0 a4z 2tdz.a -2te9 2te8.a -2tei 2teh.a -2ter 2teq.a -2tf0 2tez.a -2tf9 2tf8.a
-2tfi 2tfh.a -2tfr 2tfq.a -2tg0 2tfz.a -2tg9 2tg8.a -33lr a58 2tgh.a -2tgr 2tgq.a -2th0 2tgz.a -2th9 2th8.a -2thi
2thh.a -2thr 2thq.a -2ti0 2thz.a -2ti9 2ti8.a -2tii 2tih.a -2tir 2tiq.a -33oi a5h 2tiz.a -2tj9 2tj8.a -2tji 2tjh.a
-2tjr 2tjq.a -2tk0 2tjz.a -2tk9 2tk8.a -2tki 2tkh.a -2tkr 2tkq.a -2tl0 2tkz.a -2tl9 2tl8.a -33r9 a5q 2tlh.a -2tlr
2tlq.a -2tm0 2tlz.a -2tm9 2tm8.a -2tmi 2tmh.a -2tmr 2tmq.a -2tn0 2tmz.a -2tn9 2tn8.a -2tni 2tnh.a -2tnr 2tnq.a -33u0
a5z 2tnz.a -2to9 2to8.a -2toi 2toh.a -2tor 2toq.a -2tp0 2toz.a -2tp9 2tp8.a -2tpi 2tph.a -2tpr 2tpq.a -2tq0 2tpz.a
-2tq9 2tq8.a -33wr a68 2tqh.a -2tqr 2tqq.a -2tr0 2tqz.a -2tr9 2tr8.a -2tri 2trh.a -2trr 2trq.a -2ts0 2trz.a -2ts9
2ts8.a -2tsi 2tsh.a -2tsr 2tsq.a -33zi a6h 2tsz.a -2tt9 2tt8.a -2tti 2tth.a -2ttr 2ttq.a -2tu0 2ttz.a -2tu9 2tu8.a
-2tui 2tuh.a -2tur 2tuq.a -2tv0 2tuz.a -2tv9 2tv8.a -3429 a6q 2tvh.a -2tvr 2tvq.a -2tw0 2tvz.a -2tw9 2tw8.a -2twi
2twh.a -2twr 2twq.a -2tx0 2twz.a -2tx9 2tx8.a -2txi 2txh.a -2txr 2txq.a -3450 a6z 2txz.a -2ty9 2ty8.a -2tyi 2tyh.a
-2tyr 2tyq.a -2tz0 2tyz.a -2tz9 2tz8.a -2tzi 2tzh.a -2tzr 2tzq.a -2u00 2tzz.a -2u09 2u08.a -347r a78 2u0h.a -2u0r
2u0q.a -2u10 2u0z.a -2u19 2u18.a -2u1i 2u1h.a -2u1r 2u1q.a -2u20 2u1z.a -2u29 2u28.a -2u2i 2u2h.a -2u2r 2u2q.a -34ai
a7h 2u2z.a -2u39 2u38.a -2u3i 2u3h.a -2u3r 2u3q.a -2u40 2u3z.a -2u49 2u48.a -2u4i 2u4h.a -2u4r 2u4q.a -2u50 2u4z.a
-2u59 2u58.a -34d9 a7q 2u5h.a -2u5r 2u5q.a -2u60 2u5z.a -2u69 2u68.a -2u6i 2u6h.a -2u6r 2u6q.a -2u70 2u6z.a -2u79
2u78.a -2u7i 2u7h.a -2u7r 2u7q.a -34g0 a7z 2u7z.a -2u89 2u88.a -2u8i 2u8h.a -2u8r 2u8q.a -2u90 2u8z.a -2u99 2u98.a
-2u9i 2u9h.a -2u9r 2u9q.a -2ua0 2u9z.a -2ua9 2ua8.a -34ir a88 2uah.a -2uar 2uaq.a -2ub0 2uaz.a -2ub9 2ub8.a -2ubi
2ubh.a -2ubr 2ubq.a -2uc0 2ubz.a -2uc9 2uc8.a -2uci 2uch.a -2ucr 2ucq.a -34li a8h 2ucz.a -2ud9 2ud8.a -2udi 2udh.a
-2udr 2udq.a -2ue0 2udz.a -2ue9 2ue8.a -2uei 2ueh.a -2uer 2ueq.a -2uf0 2uez.a -2uf9 2uf8.a -34o9 a8q 2ufh.a -2ufr
2ufq.a -2ug0 2ufz.a -2ug9 2ug8.a -2ugi 2ugh.a -2ugr 2ugq.a -2uh0 2ugz.a -2uh9 2uh8.a -2uhi 2uhh.a -2uhr 2uhq.a -34r0
a8z 2uhz.a -2ui9 2ui8.a -2uii 2uih.a -2uir 2uiq.a -2uj0 2uiz.a -2uj9 2uj8.a -2uji 2ujh.a -2ujr 2ujq.a -2uk0 2ujz.a
-2uk9 2uk8.a -34tr a98 2ukh.a -2ukr 2ukq.a -2ul0 2ukz.a -2ul9 2ul8.a -2uli 2ulh.a -2ulr 2ulq.a -2um0 2ulz.a -2um9
2um8.a -2umi 2umh.a -2umr 2umq.a -34wi a9h 2umz.a -2un9 2un8.a -2uni 2unh.a -2unr 2unq.a -2uo0 2unz.a -2uo9 2uo8.a
-2uoi 2uoh.a -2uor 2uoq.a -2up0 2uoz.a -2up9 2up8.a -34z9 a9q 2uph.a -2upr 2upq.a -2uq0 2upz.a -2uq9 2uq8.a -2uqi
2uqh.a -2uqr 2uqq.a -2ur0 2uqz.a -2ur9 2ur8.a -2uri 2urh.a -2urr 2urq.a -2us0 2urz.a -2us9 2us8.a -2usi 2ush.a -2usr
2usq.a -2ut0 2usz.a -2ut9 2ut8.a -2uti 2uth.a -2utr 2utq.a -2uu0 2utz.a -2uu9 2uu8.a -2uui 2uuh.a -2uur 2uuq.a -2uv0
2uuz.a -2uv9 2uv8.a -2uvi 2uvh.a -2uvr 2uvq.a -2uw0 2uvz.a -2uw9 2uw8.a -2uwi 2uwh.a -2uwr 2uwq.a -2ux0 2uwz.a -2ux9
2ux8.a -2uxi 2uxh.a -2uxr 2uxq.a -2uy0 2uxz.a -2uy9 2uy8.a -2uyi 2uyh.a -2uyr 2uyq.a -2uz0 2uyz.a -2uz9 2uz8.a -2uzi
2uzh.a -2uzr 2uzq.a -2v00 2uzz.a -2v09 2v08.a -2v0i 2v0h.a -2v0r 2v0q.a -2v10 2v0z.a -2v19 2v18.a -2v1i 2v1h.a -2v1r
2v1q.a -2v20 2v1z.a -2v29 2v28.a -2v2i 2v2h.a -2v2r 2v2q.a -2v30 2v2z.a -2v39 2v38.a -2v3i 2v3h.a -2v3r 2v3q.a -2v40
2v3z.a -2v49 2v48.a -2v4i 2v4h.a -2v4r 2v4q.a -2v50 2v4z.a -2v59 2v58.a -2v5i 2v5h.a -2v5r 2v5q.a -2v60 2v5z.a -2v69
2v68.a -2v6i 2v6h.a -2v6r 2v6q.a -2v70 2v6z.a -2v79 2v78.a -2v7i 2v7h.a -2v7r 2v7q.a -2v80 2v7z.a -2v89 2v88.a -2v8i
2v8h.a -2v8r 2v8q.a -2v90 2v8z.a -2v99 2v98.a -2v9i 2v9h.a -2v9r 2v9q.a -2va0 2v9z.a -2va9 2va8.a -2vai 2vah.a -2var
2vaq.a -2vb0 2vaz.a -2vb9 2vb8.a -2vbi 2vbh.a -2vbr 2vbq.a -35o0 abz 2vbz.a -2vc9 2vc8.a -2vci 2vch.a -2vcr 2vcq.a
-2vd0 2vcz.a -2vd9 2vd8.a -2vdi 2vdh.a -2vdr 2vdq.a -2ve0 2vdz.a -2ve9 2ve8.a -35qr ac8 2veh.a -2ver 2veq.a -2vf0
2vez.a -2vf9 2vf8.a -2vfi 2vfh.a -2vfr 2vfq.a -2vg0 2vfz.a -2vg9 2vg8.a -2vgi 2vgh.a -2vgr 2vgq.a -35ti ach 2vgz.a
-2vh9 2vh8.a -2vhi 2vhh.a -2vhr 2vhq.a -2vi0 2vhz.a -2vi9 2vi8.a -2vii 2vih.a -2vir 2viq.a -2vj0 2viz.a -2vj9 2vj8.a
-35w9 acq 2vjh.a -2vjr 2vjq.a -2vk0 2vjz.a -2vk9 2vk8.a -2vki 2vkh.a -2vkr 2vkq.a -2vl0 2vkz.a -2vl9 2vl8.a -2vli
2vlh.a -2vlr 2vlq.a -35z0 acz 2vlz.a -2vm9 2vm8.a -2vmi 2vmh.a -2vmr 2vmq.a -2vn0 2vmz.a -2vn9 2vn8.a -2vni 2vnh.a
-2vnr 2vnq.a -2vo0 2vnz.a -2vo9 2vo8.a -361r ad8 2voh.a -2vor 2voq.a -2vp0 2voz.a -2vp9 2vp8.a -2vpi 2vph.a -2vpr
2vpq.a -2vq0 2vpz.a -2vq9 2vq8.a -2vqi 2vqh.a -2vqr 2vqq.a -364i adh 2vqz.a -2vr9 2vr8.a -2vri 2vrh.a -2vrr 2vrq.a
-2vs0 2vrz.a -2vs9 2vs8.a -2vsi 2vsh.a -2vsr 2vsq.a -2vt0 2vsz.a -2vt9 2vt8.a -3679 adq 2vth.a -2vtr 2vtq.a -2vu0
2vtz.a -2vu9 2vu8.a -2vui 2vuh.a -2vur 2vuq.a -2vv0 2vuz.a -2vv9 2vv8.a -2vvi 2vvh.a -2vvr 2vvq.a -36a0 adz 2vvz.a
-2vw9 2vw8.a -2vwi 2vwh.a -2vwr 2vwq.a -2vx0 2vwz.a -2vx9 2vx8.a -2vxi 2vxh.a -2vxr 2vxq.a -2vy0 2vxz.a -2vy9 2vy8.a
-36cr ae8 2vyh.a -2vyr 2vyq.a -2vz0 2vyz.a -2vz9 2vz8.a -2vzi 2vzh.a -2vzr 2vzq.a -2w00 2vzz.a -2w09 2w08.a -2w0i
2w0h.a -2w0r 2w0q.a -36fi aeh 2w0z.a -2w19 2w18.a -2w1i 2w1h.a -2w1r 2w1q.a -2w20 2w1z.a -2w29 2w28.a -2w2i 2w2h.a
-2w2r 2w2q.a -2w30 2w2z.a -2w39 2w38.a -36i9 aeq 2w3h.a -2w3r 2w3q.a -2w40 2w3z.a -2w49 2w48.a -2w4i 2w4h.a -2w4r
2w4q.a -2w50 2w4z.a -2w59 2w58.a -2w5i 2w5h.a -2w5r 2w5q.a -36l0 aez 2w5z.a -2w69 2w68.a -2w6i 2w6h.a -2w6r 2w6q.a
-2w70 2w6z.a -2w79 2w78.a -2w7i 2w7h.a -2w7r 2w7q.a -2w80 2w7z.a -2w89 2w88.a -36nr af8 2w8h.a -2w8r 2w8q.a -2w90
2w8z.a -2w99 2w98.a -2w9i 2w9h.a -2w9r 2w9q.a -2wa0 2w9z.a -2wa9 2wa8.a -2wai 2wah.a -2war 2waq.a -36qi afh 2waz.a
-2wb9 2wb8.a -2wbi 2wbh.a -2wbr 2wbq.a -2wc0 2wbz.a -2wc9 2wc8.a -2wci 2wch.a -2wcr 2wcq.a -2wd0 2wcz.a -2wd9 2wd8.a
-36t9 afq 2wdh.a -2wdr 2wdq.a -2we0 2wdz.a -2we9 2we8.a -2wei 2weh.a -2wer 2weq.a -2wf0 2wez.a -2wf9 2wf8.a -2wfi
2wfh.a -2wfr 2wfq.a -36w0 afz 2wfz.a -2wg9 2wg8.a -2wgi 2wgh.a -2wgr 2wgq.a -2wh0 2wgz.a -2wh9 2wh8.a -2whi 2whh.a
-2whr 2whq.a -2wi0 2whz.a -2wi9 2wi8.a -36yr ag8 2wih.a -2wir 2wiq.a -2wj0 2wiz.a -2wj9 2wj8.a -2wji 2wjh.a -2wjr
2wjq.a -2wk0 2wjz.a -2wk9 2wk8.a -2wki 2wkh.a -2wkr 2wkq.a -371i agh 2wkz.a -2wl9 2wl8.a -2wli 2wlh.a -2wlr 2wlq.a
-2wm0 2wlz.a -2wm9 2wm8.a -2wmi 2wmh.a -2wmr 2wmq.a -2wn0 2wmz.a -2wn9 2wn8.a -3749 agq 2wnh.a -2wnr 2wnq.a -2wo0
2wnz.a -2wo9 2wo8.a -2woi 2woh.a -2wor 2woq.a -2wp0 2woz.a -2wp9 2wp8.a -2wpi 2wph.a -2wpr 2wpq.a -3770 agz 2wpz.a
-2wq9 2wq8.a -2wqi 2wqh.a -2wqr 2wqq.a -2wr0 2wqz.a -2wr9 2wr8.a -2wri 2wrh.a -2wrr 2wrq.a -2ws0 2wrz.a -2ws9 2ws8.a
-379r ah8 2wsh.a -2wsr 2wsq.a -2wt0 2wsz.a -2wt9 2wt8.a -2wti 2wth.a -2wtr 2wtq.a -2wu0 2wtz.a -2wu9 2wu8.a -2wui
2wuh.a -2wur 2wuq.a -37ci ahh 2wuz.a -2wv9 2wv8.a -2wvi 2wvh.a -2wvr 2wvq.a -2ww0 2wvz.a -2ww9 2ww8.a -2wwi 2wwh.a
-2wwr 2wwq.a -2wx0 2wwz.a -2wx9 2wx8.a -37f9 ahq 2wxh.a -2wxr 2wxq.a -2wy0 2wxz.a -2wy9 2wy8.a -2wyi 2wyh.a -2wyr
2wyq.a -2wz0 2wyz.a -2wz9 2wz8.a -2wzi 2wzh.a -2wzr 2wzq.a -37i0 ahz 2wzz.a -2x09 2x08.a -2x0i 2x0h.a -2x0r 2x0q.a
-2x10 2x0z.a -2x19 2x18.a -2x1i 2x1h.a -2x1r 2x1q.a -2x20 2x1z.a -2x29 2x28.a -37kr ai8 2x2h.a -2x2r 2x2q.a -2x30
2x2z.a -2x39 2x38.a -2x3i 2x3h.a -2x3r 2x3q.a -2x40 2x3z.a -2x49 2x48.a -2x4i 2x4h.a -2x4r 2x4q.a -37ni aih 2x4z.a
-2x59 2x58.a -2x5i 2x5h.a -2x5r 2x5q.a -2x60 2x5z.a -2x69 2x68.a -2x6i 2x6h.a -2x6r 2x6q.a -2x70 2x6z.a -2x79 2x78.a
-2x7i 2x7h.a -2x7r 2x7q.a -2x80 2x7z.a -2x89 2x88.a -2x8i 2x8h.a -2x8r 2x8q.a -2x90 2x8z.a -2x99 2x98.a -2x9i 2x9h.a
-2x9r 2x9q.a -2xa0 2x9z.a -2xa9 2xa8.a -2xai 2xah.a -2xar 2xaq.a -2xb0 2xaz.a -2xb9 2xb8.a -2xbi 2xbh.a -2xbr 2xbq.a
-2xc0 2xbz.a -2xc9 2xc8.a -2xci 2xch.a -2xcr 2xcq.a -2xd0 2xcz.a -2xd9 2xd8.a -2xdi 2xdh.a -2xdr 2xdq.a -2xe0 2xdz.a
-2xe9 2xe8.a -2xei 2xeh.a -2xer 2xeq.a -2xf0 2xez.a -2xf9 2xf8.a -2xfi 2xfh.a -2xfr 2xfq.a -2xg0 2xfz.a -2xg9 2xg8.a
-2xgi 2xgh.a -2xgr 2xgq.a -2xh0 2xgz.a -2xh9 2xh8.a -3819 ajq 2xhh.a -2xhr 2xhq.a -2xi0 2xhz.a -2xi9 2xi8.a -2xii
2xih.a -2xir 2xiq.a -2xj0 2xiz.a -2xj9 2xj8.a -2xji 2xjh.a -2xjr 2xjq.a -3840 ajz 2xjz.a -2xk9 2xk8.a -2xki 2xkh.a
-2xkr 2xkq.a -2xl0 2xkz.a -2xl9 2xl8.a -2xli 2xlh.a -2xlr 2xlq.a -2xm0 2xlz.a -2xm9 2xm8.a -386r ak8 2xmh.a -2xmr
2xmq.a -2xn0 2xmz.a -2xn9 2xn8.a -2xni 2xnh.a -2xnr 2xnq.a -2xo0 2xnz.a -2xo9 2xo8.a -2xoi 2xoh.a -2xor 2xoq.a -389i
akh 2xoz.a -2xp9 2xp8.a -2xpi 2xph.a -2xpr 2xpq.a -2xq0 2xpz.a -2xq9 2xq8.a -2xqi 2xqh.a -2xqr 2xqq.a -2xr0 2xqz.a
-2xr9 2xr8.a -38c9 akq 2xrh.a -2xrr 2xrq.a -2xs0 2xrz.a -2xs9 2xs8.a -2xsi 2xsh.a -2xsr 2xsq.a -2xt0 2xsz.a -2xt9
2xt8.a -2xti 2xth.a -2xtr 2xtq.a -38f0 akz 2xtz.a -2xu9 2xu8.a -2xui 2xuh.a -2xur 2xuq.a -2xv0 2xuz.a -2xv9 2xv8.a
-2xvi 2xvh.a -2xvr 2xvq.a -2xw0 2xvz.a -2xw9 2xw8.a -2xwi 2xwh.a -2xwr 2xwq.a -2xx0 2xwz.a -2xx9 2xx8.a -2xxi 2xxh.a
-2xxr 2xxq.a -2xy0 2xxz.a -2xy9 2xy8.a -2xyi 2xyh.a -2xyr 2xyq.a -2xz0 2xyz.a -2xz9 2xz8.a -2xzi 2xzh.a -2xzr 2xzq.a
-2y00 2xzz.a -2y09 2y08.a -2y0i 2y0h.a -2y0r 2y0q.a -2y10 2y0z.a -2y19 2y18.a -2y1i 2y1h.a -2y1r 2y1q.a -2y20 2y1z.a
-2y29 2y28.a -2y2i 2y2h.a -2y2r 2y2q.a -2y30 2y2z.a -2y39 2y38.a -2y3i 2y3h.a -2y3r 2y3q.a -2y40 2y3z.a -2y49 2y48.a
-2y4i 2y4h.a -2y4r 2y4q.a -2y50 2y4z.a -2y59 2y58.a -2y5i 2y5h.a -2y5r 2y5q.a -2y60 2y5z.a -2y69 2y68.a -2y6i 2y6h.a
-2y6r 2y6q.a -2y70 2y6z.a -2y79 2y78.a -2y7i 2y7h.a -2y7r 2y7q.a -2y80 2y7z.a -2y89 2y88.a -2y8i 2y8h.a -2y8r 2y8q.a
-2y90 2y8z.a -2y99 2y98.a -2y9i 2y9h.a -2y9r 2y9q.a -2ya0 2y9z.a -2ya9 2ya8.a -2yai 2yah.a -2yar 2yaq.a -2yb0 2yaz.a
-2yb9 2yb8.a -2ybi 2ybh.a -2ybr 2ybq.a -2yc0 2ybz.a -2yc9 2yc8.a -2yci 2ych.a -2ycr 2ycq.a -2yd0 2ycz.a -2yd9 2yd8.a
-2ydi 2ydh.a -2ydr 2ydq.a -2ye0 2ydz.a -2ye9 2ye8.a -2yei 2yeh.a -2yer 2yeq.a -2yf0 2yez.a -2yf9 2yf8.a -2yfi 2yfh.a
-2yfr 2yfq.a -2yg0 2yfz.a -2yg9 2yg8.a -2ygi 2ygh.a -2ygr 2ygq.a -2yh0 2ygz.a -2yh9 2yh8.a -2yhi 2yhh.a -2yhr 2yhq.a
-2yi0 2yhz.a -2yi9 2yi8.a -2yii 2yih.a -2yir 2yiq.a -2yj0 2yiz.a -2yj9 2yj8.a -2yji 2yjh.a -2yjr 2yjq.a -2yk0 2yjz.a
-2yk9 2yk8.a -2yki 2ykh.a -2ykr 2ykq.a -2yl0 2ykz.a -2yl9 2yl8.a -2yli 2ylh.a -2ylr 2ylq.a -2ym0 2ylz.a -2ym9 2ym8.a
-2ymi 2ymh.a -2ymr 2ymq.a -2yn0 2ymz.a -2yn9 2yn8.a -2yni 2ynh.a -2ynr 2ynq.a -39c0 anz 2ynz.a -2yo9 2yo8.a -2yoi
2yoh.a -2yor 2yoq.a -2yp0 2yoz.a -2yp9 2yp8.a -2ypi 2yph.a -2ypr 2ypq.a -2yq0 2ypz.a -2yq9 2yq8.a -39er ao8 2yqh.a
-2yqr 2yqq.a -2yr0 2yqz.a -2yr9 2yr8.a -2yri 2yrh.a -2yrr 2yrq.a -2ys0 2yrz.a -2ys9 2ys8.a -2ysi 2ysh.a -2ysr 2ysq.a
-39hi aoh 2ysz.a -2yt9 2yt8.a -2yti 2yth.a -2ytr 2ytq.a -2yu0 2ytz.a -2yu9 2yu8.a -2yui 2yuh.a -2yur 2yuq.a -2yv0
2yuz.a -2yv9 2yv8.a -39k9 aoq 2yvh.a -2yvr 2yvq.a -2yw0 2yvz.a -2yw9 2yw8.a -2ywi 2ywh.a -2ywr 2ywq.a -2yx0 2ywz.a
-2yx9 2yx8.a -2yxi 2yxh.a -2yxr 2yxq.a -39n0 aoz 2yxz.a -2yy9 2yy8.a -2yyi 2yyh.a -2yyr 2yyq.a -2yz0 2yyz.a -2yz9
2yz8.a -2yzi 2yzh.a -2yzr 2yzq.a -2z00 2yzz.a -2z09 2z08.a -39pr ap8 2z0h.a -2z0r 2z0q.a -2z10 2z0z.a -2z19 2z18.a
-2z1i 2z1h.a -2z1r 2z1q.a -2z20 2z1z.a -2z29 2z28.a -2z2i 2z2h.a -2z2r 2z2q.a -39si aph 2z2z.a -2z39 2z38.a -2z3i
2z3h.a -2z3r 2z3q.a -2z40 2z3z.a -2z49 2z48.a -2z4i 2z4h.a -2z4r 2z4q.a -2z50 2z4z.a -2z59 2z58.a -39v9 apq 2z5h.a
-2z5r 2z5q.a -2z60 2z5z.a -2z69 2z68.a -2z6i 2z6h.a -2z6r 2z6q.a -2z70 2z6z.a -2z79 2z78.a -2z7i 2z7h.a -2z7r 2z7q.a
-39y0 apz 2z7z.a -2z89 2z88.a -2z8i 2z8h.a -2z8r 2z8q.a -2z90 2z8z.a -2z99 2z98.a -2z9i 2z9h.a -2z9r 2z9q.a -2za0
2z9z.a -2za9 2za8.a -3a0r aq8 2zah.a -2zar 2zaq.a -2zb0 2zaz.a -2zb9 2zb8.a -2zbi 2zbh.a -2zbr 2zbq.a -2zc0 2zbz.a
-2zc9 2zc8.a -2zci 2zch.a -2zcr 2zcq.a -3a3i aqh 2zcz.a -2zd9 2zd8.a -2zdi 2zdh.a -2zdr 2zdq.a -2ze0 2zdz.a -2ze9
2ze8.a -2zei 2zeh.a -2zer 2zeq.a -2zf0 2zez.a -2zf9 2zf8.a -3a69 aqq 2zfh.a -2zfr 2zfq.a -2zg0 2zfz.a -2zg9 2zg8.a
-2zgi 2zgh.a -2zgr 2zgq.a -2zh0 2zgz.a -2zh9 2zh8.a -2zhi 2zhh.a -2zhr 2zhq.a -3a90 aqz 2zhz.a -2zi9 2zi8.a -2zii
2zih.a -2zir 2ziq.a -2zj0 2ziz.a -2zj9 2zj8.a -2zji 2zjh.a -2zjr 2zjq.a -2zk0 2zjz.a -2zk9 2zk8.a -3abr ar8 2zkh.a
-2zkr 2zkq.a -2zl0 2zkz.a -2zl9 2zl8.a -2zli 2zlh.a -2zlr 2zlq.a -2zm0 2zlz.a -2zm9 2zm8.a -2zmi 2zmh.a -2zmr 2zmq.a
-3aei arh 2zmz.a -2zn9 2zn8.a -2zni 2znh.a -2znr 2znq.a -2zo0 2znz.a -2zo9 2zo8.a -2zoi 2zoh.a -2zor 2zoq.a -2zp0
2zoz.a -2zp9 2zp8.a -3ah9 arq 2zph.a -2zpr 2zpq.a -2zq0 2zpz.a -2zq9 2zq8.a -2zqi 2zqh.a -2zqr 2zqq.a -2zr0 2zqz.a
-2zr9 2zr8.a -2zri 2zrh.a -2zrr 2zrq.a -3ak0 arz 2zrz.a -2zs9 2zs8.a -2zsi 2zsh.a -2zsr 2zsq.a -2zt0 2zsz.a -2zt9
2zt8.a -2zti 2zth.a -2ztr 2ztq.a -2zu0 2ztz.a -2zu9 2zu8.a -3amr as8 2zuh.a -2zur 2zuq.a -2zv0 2zuz.a -2zv9 2zv8.a
-2zvi 2zvh.a -2zvr 2zvq.a -2zw0 2zvz.a -2zw9 2zw8.a -2zwi 2zwh.a -2zwr 2zwq.a -3api ash 2zwz.a -2zx9 2zx8.a -2zxi
2zxh.a -2zxr 2zxq.a -2zy0 2zxz.a -2zy9 2zy8.a -2zyi 2zyh.a -2zyr 2zyq.a -2zz0 2zyz.a -2zz9 2zz8.a -3as9 asq 2zzh.a
-2zzr 2zzq.a -3000 2zzz.a -3009 3008.a -300i 300h.a -300r 300q.a -3010 300z.a -3019 3018.a -301i 301h.a -301r 301q.a
-3av0 asz 301z.a -3029 3028.a -302i 302h.a -302r 302q.a -3030 302z.a -3039 3038.a -303i 303h.a -303r 303q.a -3040
303z.a -3049 3048.a -3axr at8 304h.a -304r 304q.a -3050 304z.a -3059 3058.a -305i 305h.a -305r 305q.a -3060 305z.a
-3069 3068.a -306i 306h.a -306r 306q.a -3b0i ath 306z.a -3079 3078.a -307i 307h.a -307r 307q.a -3080 307z.a -3089
3088.a -308i 308h.a -308r 308q.a -3090 308z.a -3099 3098.a -3b39 atq 309h.a -309r 309q.a -30a0 309z.a -30a9 30a8.a
-30ai 30ah.a -30ar 30aq.a -30b0 30az.a -30b9 30b8.a -30bi 30bh.a -30br 30bq.a -3b60 atz 30bz.a -30c9 30c8.a -30ci
30ch.a -30cr 30cq.a -30d0 30cz.a -30d9 30d8.a -30di 30dh.a -30dr 30dq.a -30e0 30dz.a -30e9 30e8.a -3b8r au8 30eh.a
-30er 30eq.a -30f0 30ez.a -30f9 30f8.a -30fi 30fh.a -30fr 30fq.a -30g0 30fz.a -30g9 30g8.a -30gi 30gh.a -30gr 30gq.a
-3bbi auh 30gz.a -30h9 30h8.a -30hi 30hh.a -30hr 30hq.a -30i0 30hz.a -30i9 30i8.a -30ii 30ih.a -30ir 30iq.a -30j0
30iz.a -30j9 30j8.a -3be9 auq 30jh.a -30jr 30jq.a -30k0 30jz.a -30k9 30k8.a -30ki 30kh.a -30kr 30kq.a -30l0 30kz.a
-30l9 30l8.a -30li 30lh.a -30lr 30lq.a -3bh0 auz 30lz.a -30m9 30m8.a -30mi 30mh.a -30mr 30mq.a -30n0 30mz.a -30n9
30n8.a -30ni 30nh.a -30nr 30nq.a -30o0 30nz.a -30o9 30o8.a -3bjr av8 30oh.a -30or 30oq.a -30p0 30oz.a -30p9 30p8.a
-30pi 30ph.a -30pr 30pq.a -30q0 30pz.a -30q9 30q8.a -30qi 30qh.a -30qr 30qq.a -3bmi avh 30qz.a -30r9 30r8.a -30ri
30rh.a -30rr 30rq.a -30s0 30rz.a -30s9 30s8.a -30si 30sh.a -30sr 30sq.a -30t0 30sz.a -30t9 30t8.a -3bp9 avq 30th.a
-30tr 30tq.a -30u0 30tz.a -30u9 30u8.a -30ui 30uh.a -30ur 30uq.a -30v0 30uz.a -30v9 30v8.a -30vi 30vh.a -30vr 30vq.a
-3bs0 avz 30vz.a -30w9 30w8.a -30wi 30wh.a -30wr 30wq.a -30x0 30wz.a -30x9 30x8.a -30xi 30xh.a -30xr 30xq.a -30y0
30xz.a -30y9 30y8.a -3bur aw8 30yh.a -30yr 30yq.a -30z0 30yz.a -30z9 30z8.a -30zi 30zh.a -30zr 30zq.a -3100 30zz.a
-3109 3108.a -310i 310h.a -310r 310q.a -3bxi awh 310z.a -3119 3118.a -311i 311h.a -311r 311q.a -3120 311z.a -3129
3128.a -312i 312h.a -312r 312q.a -3130 312z.a -3139 3138.a -3c09 awq 313h.a -313r 313q.a -3140 313z.a -3149 3148.a
-314i 314h.a -314r 314q.a -3150 314z.a -3159 3158.a -315i 315h.a -315r 315q.a -3c30 awz 315z.a -3169 3168.a -316i
316h.a -316r 316q.a -3170 316z.a -3179 3178.a -317i 317h.a -317r 317q.a -3180 317z.a -3189 3188.a -3c5r ax8 318h.a
-318r 318q.a -3190 318z.a -3199 3198.a -319i 319h.a -319r 319q.a -31a0 319z.a -31a9 31a8.a -31ai 31ah.a -31ar 31aq.a
-3c8i axh 31az.a -31b9 31b8.a -31bi 31bh.a -31br 31bq.a -31c0 31bz.a -31c9 31c8.a -31ci 31ch.a -31cr 31cq.a -31d0
31cz.a -31d9 31d8.a -3cb9 axq 31dh.a -31dr 31dq.a -31e0 31dz.a -31e9 31e8.a -31ei 31eh.a -31er 31eq.a -31f0 31ez.a
-31f9 31f8.a -31fi 31fh.a -31fr 31fq.a -3ce0 axz 31fz.a -31g9 31g8.a -31gi 31gh.a -31gr 31gq.a -31h0 31gz.a -31h9
31h8.a -31hi 31hh.a -31hr 31hq.a -31i0 31hz.a -31i9 31i8.a -3cgr ay8 31ih.a -31ir 31iq.a -31j0 31iz.a -31j9 31j8.a
-31ji 31jh.a -31jr 31jq.a -31k0 31jz.a -31k9 31k8.a -31ki 31kh.a -31kr 31kq.a -3cji ayh 31kz.a -31l9 31l8.a -31li
31lh.a -31lr 31lq.a -31m0 31lz.a -31m9 31m8.a -31mi 31mh.a -31mr 31mq.a -31n0 31mz.a -31n9 31n8.a -3cm9 ayq 31nh.a
-31nr 31nq.a -31o0 31nz.a -31o9 31o8.a -31oi 31oh.a -31or 31oq.a -31p0 31oz.a -31p9 31p8.a -31pi 31ph.a -31pr 31pq.a
-3cp0 ayz 31pz.a -31q9 31q8.a -31qi 31qh.a -31qr 31qq.a -31r0 31qz.a -31r9 31r8.a -31ri 31rh.a -31rr 31rq.a -31s0
31rz.a -31s9 31s8.a -3crr az8 31sh.a -31sr 31sq.a -31t0 31sz.a -31t9 31t8.a -31ti 31th.a -31tr 31tq.a -31u0 31tz.a
-31u9 31u8.a -31ui 31uh.a -31ur 31uq.a -3cui azh 31uz.a -31v9 31v8.a -31vi 31vh.a -31vr 31vq.a -31w0 31vz.a -31w9
31w8.a -31wi 31wh.a -31wr 31wq.a -31x0 31wz.a -31x9 31x8.a -3cx9 azq 31xh.a -31xr 31xq.a -31y0 31xz.a -31y9 31y8.a
-31yi 31yh.a -31yr 31yq.a -31z0 31yz.a -31z9 31z8.a -31zi 31zh.a -31zr 31zq.a -3d00 azz 31zz.a -3209 3208.a -320i
320h.a -320r 320q.a -3210 320z.a -3219 3218.a -321i 321h.a -321r 321q.a -3220 321z.a -3229 3228.a -3d2r b08 322h.a
-322r 322q.a -3230 322z.a -3239 3238.a -323i 323h.a -323r 323q.a -3240 323z.a -3249 3248.a -324i 324h.a -324r 324q.a
-3d5i b0h 324z.a -3259 3258.a -325i 325h.a -325r 325q.a -3260 325z.a -3269 3268.a -326i 326h.a -326r 326q.a -3270
326z.a -3279 3278.a -3d89 b0q 327h.a -327r 327q.a -3280 327z.a -3289 3288.a -328i 328h.a -328r 328q.a -3290 328z.a
-3299 3298.a -329i 329h.a -329r 329q.a -3db0 b0z 329z.a -32a9 32a8.a -32ai 32ah.a -32ar 32aq.a -32b0 32az.a -32b9
32b8.a -32bi 32bh.a -32br 32bq.a -32c0 32bz.a -32c9 32c8.a -3ddr b18 32ch.a -32cr 32cq.a -32d0 32cz.a -32d9 32d8.a
-32di 32dh.a -32dr 32dq.a -32e0 32dz.a -32e9 32e8.a -32ei 32eh.a -32er 32eq.a -3dgi b1h 32ez.a -32f9 32f8.a -32fi
32fh.a -32fr 32fq.a -32g0 32fz.a -32g9 32g8.a -32gi 32gh.a -32gr 32gq.a -32h0 32gz.a -32h9 32h8.a -3dj9 b1q 32hh.a
-32hr 32hq.a -32i0 32hz.a -32i9 32i8.a -32ii 32ih.a -32ir 32iq.a -32j0 32iz.a -32j9 32j8.a -32ji 32jh.a -32jr 32jq.a
-3dm0 b1z 32jz.a -32k9 32k8.a -32ki 32kh.a -32kr 32kq.a -32l0 32kz.a -32l9 32l8.a -32li 32lh.a -32lr 32lq.a -32m0
32lz.a -32m9 32m8.a -3dor b28 32mh.a -32mr 32mq.a -32n0 32mz.a -32n9 32n8.a -32ni 32nh.a -32nr 32nq.a -32o0 32nz.a
-32o9 32o8.a -32oi 32oh.a -32or 32oq.a -3dri b2h 32oz.a -32p9 32p8.a -32pi 32ph.a -32pr 32pq.a -32q0 32pz.a -32q9
32q8.a -32qi 32qh.a -32qr 32qq.a -32r0 32qz.a -32r9 32r8.a -3du9 b2q 32rh.a -32rr 32rq.a -32s0 32rz.a -32s9 32s8.a
-32si 32sh.a -32sr 32sq.a -32t0 32sz.a -32t9 32t8.a -32ti 32th.a -32tr 32tq.a -3dx0 b2z 32tz.a -32u9 32u8.a -32ui
32uh.a -32ur 32uq.a -32v0 32uz.a -32v9 32v8.a -32vi 32vh.a -32vr 32vq.a -32w0 32vz.a -32w9 32w8.a -3dzr b38 32wh.a
-32wr 32wq.a -32x0 32wz.a -32x9 32x8.a -32xi 32xh.a -32xr 32xq.a -32y0 32xz.a -32y9 32y8.a -32yi 32yh.a -32yr 32yq.a
-3e2i b3h 32yz.a -32z9 32z8.a -32zi 32zh.a -32zr 32zq.a -3300 32zz.a -3309 3308.a -330i 330h.a -330r 330q.a -3310
330z.a -3319 3318.a -3e59 b3q 331h.a -331r 331q.a -3320 331z.a -3329 3328.a -332i 332h.a -332r 332q.a -3330 332z.a
-3339 3338.a -333i 333h.a -333r 333q.a -3fc0 13z b3z 333z.a -3349 3348.a -334i 334h.a -334r 334q.a -3350 334z.a -3359
3358.a -335i 335h.a -335r 335q.a -3360 335z.a -3369 3368.a -3ear b48 336h.a -336r 336q.a -3370 336z.a -3379 3378.a
-337i 337h.a -337r 337q.a -3380 337z.a -3389 3388.a -338i 338h.a -338r 338q.a -3edi b4h 338z.a -3399 3398.a -339i
339h.a -339r 339q.a -33a0 339z.a -33a9 33a8.a -33ai 33ah.a -33ar 33aq.a -33b0 33az.a -33b9 33b8.a -3eg9 b4q 33bh.a
-33br 33bq.a -33c0 33bz.a -33c9 33c8.a -33ci 33ch.a -33cr 33cq.a -33d0 33cz.a -33d9 33d8.a -33di 33dh.a -33dr 33dq.a
-3ej0 b4z 33dz.a -33e9 33e8.a -33ei 33eh.a -33er 33eq.a -33f0 33ez.a -33f9 33f8.a -33fi 33fh.a -33fr 33fq.a -33g0
33fz.a -33g9 33g8.a -3elr b58 33gh.a -33gr 33gq.a -33h0 33gz.a -33h9 33h8.a -33hi 33hh.a -33hr 33hq.a -33i0 33hz.a
-33i9 33i8.a -33ii 33ih.a -33ir 33iq.a -3eoi b5h 33iz.a -33j9 33j8.a -33ji 33jh.a -33jr 33jq.a -33k0 33jz.a -33k9
33k8.a -33ki 33kh.a -33kr 33kq.a -33l0 33kz.a -33l9 33l8.a -3er9 b5q 33lh.a -33lr 33lq.a -33m0 33lz.a -33m9 33m8.a
-33mi 33mh.a -33mr 33mq.a -33n0 33mz.a -33n9 33n8.a -33ni 33nh.a -33nr 33nq.a -3eu0 b5z 33nz.a -33o9 33o8.a -33oi
33oh.a -33or 33oq.a -33p0 33oz.a -33p9 33p8.a -33pi 33ph.a -33pr 33pq.a -33q0 33pz.a -33q9 33q8.a -3ewr b68 33qh.a
-33qr 33qq.a -33r0 33qz.a -33r9 33r8.a -33ri 33rh.a -33rr 33rq.a -33s0 33rz.a -33s9 33s8.a -33si 33sh.a -33sr 33sq.a
-3g3r 148 b6h 33sz.a -33t9 33t8.a -33ti 33th.a -33tr 33tq.a -33u0 33tz.a -33u9 33u8.a -33ui 33uh.a -33ur 33uq.a -33v0
33uz.a -33v9 33v8.a -3f29 b6q 33vh.a -33vr 33vq.a -33w0 33vz.a -33w9 33w8.a -33wi 33wh.a -33wr 33wq.a -33x0 33wz.a
-33x9 33x8.a -33xi 33xh.a -33xr 33xq.a -3f50 b6z 33xz.a -33y9 33y8.a -33yi 33yh.a -33yr 33yq.a -33z0 33yz.a -33z9
33z8.a -33zi 33zh.a -33zr 33zq.a -3400 33zz.a -3409 3408.a -3f7r b78 340h.a -340r 340q.a -3410 340z.a -3419 3418.a
-341i 341h.a -341r 341q.a -3420 341z.a -3429 3428.a -342i 342h.a -342r 342q.a -3fai b7h 342z.a -3439 3438.a -343i
343h.a -343r 343q.a -3440 343z.a -3449 3448.a -344i 344h.a -344r 344q.a -3450 344z.a -3459 3458.a -3fd9 b7q 345h.a
-345r 345q.a -3460 345z.a -3469 3468.a -346i 346h.a -346r 346q.a -3470 346z.a -3479 3478.a -347i 347h.a -347r 347q.a
-3fg0 b7z 347z.a -3489 3488.a -348i 348h.a -348r 348q.a -3490 348z.a -3499 3498.a -349i 349h.a -349r 349q.a -34a0
349z.a -34a9 34a8.a -3fir b88 34ah.a -34ar 34aq.a -34b0 34az.a -34b9 34b8.a -34bi 34bh.a -34br 34bq.a -34c0 34bz.a
-34c9 34c8.a -34ci 34ch.a -34cr 34cq.a -3fli b8h 34cz.a -34d9 34d8.a -34di 34dh.a -34dr 34dq.a -34e0 34dz.a -34e9
34e8.a -34ei 34eh.a -34er 34eq.a -34f0 34ez.a -34f9 34f8.a -3fo9 b8q 34fh.a -34fr 34fq.a -34g0 34fz.a -34g9 34g8.a
-34gi 34gh.a -34gr 34gq.a -34h0 34gz.a -34h9 34h8.a -34hi 34hh.a -34hr 34hq.a -3gvi 14h b8z 34hz.a -34i9 34i8.a -34ii
34ih.a -34ir 34iq.a -34j0 34iz.a -34j9 34j8.a -34ji 34jh.a -34jr 34jq.a -34k0 34jz.a -34k9 34k8.a -3ftr b98 34kh.a
-34kr 34kq.a -34l0 34kz.a -34l9 34l8.a -34li 34lh.a -34lr 34lq.a -34m0 34lz.a -34m9 34m8.a -34mi 34mh.a -34mr 34mq.a
-3fwi b9h 34mz.a -34n9 34n8.a -34ni 34nh.a -34nr 34nq.a -34o0 34nz.a -34o9 34o8.a -34oi 34oh.a -34or 34oq.a -34p0
34oz.a -34p9 34p8.a -3fz9 b9q 34ph.a -34pr 34pq.a -34q0 34pz.a -34q9 34q8.a -34qi 34qh.a -34qr 34qq.a -34r0 34qz.a
-34r9 34r8.a -34ri 34rh.a -34rr 34rq.a -3g20 b9z 34rz.a -34s9 34s8.a -34si 34sh.a -34sr 34sq.a -34t0 34sz.a -34t9
34t8.a -34ti 34th.a -34tr 34tq.a -34u0 34tz.a -34u9 34u8.a -3g4r ba8 34uh.a -34ur 34uq.a -34v0 34uz.a -34v9 34v8.a
-34vi 34vh.a -34vr 34vq.a -34w0 34vz.a -34w9 34w8.a -34wi 34wh.a -34wr 34wq.a -3g7i bah 34wz.a -34x9 34x8.a -34xi
34xh.a -34xr 34xq.a -34y0 34xz.a -34y9 34y8.a -34yi 34yh.a -34yr 34yq.a -34z0 34yz.a -34z9 34z8.a -3ga9 baq 34zh.a
-34zr 34zq.a -3500 34zz.a -3509 3508.a -350i 350h.a -350r 350q.a -3510 350z.a -3519 3518.a -351i 351h.a -351r 351q.a
-3gd0 baz 351z.a -3529 3528.a -352i 352h.a -352r 352q.a -3530 352z.a -3539 3538.a -353i 353h.a -353r 353q.a -3540
353z.a -3549 3548.a -3gfr bb8 354h.a -354r 354q.a -3550 354z.a -3559 3558.a -355i 355h.a -355r 355q.a -3560 355z.a
-3569 3568.a -356i 356h.a -356r 356q.a -3hn9 14q bbh 356z.a -3579 3578.a -357i 357h.a -357r 357q.a -3580 357z.a -3589
3588.a -358i 358h.a -358r 358q.a -3590 358z.a -3599 3598.a -3gl9 bbq 359h.a -359r 359q.a -35a0 359z.a -35a9 35a8.a
-35ai 35ah.a -35ar 35aq.a -35b0 35az.a -35b9 35b8.a -35bi 35bh.a -35br 35bq.a -3go0 bbz 35bz.a -35c9 35c8.a -35ci
35ch.a -35cr 35cq.a -35d0 35cz.a -35d9 35d8.a -35di 35dh.a -35dr 35dq.a -35e0 35dz.a -35e9 35e8.a -3gqr bc8 35eh.a
-35er 35eq.a -35f0 35ez.a -35f9 35f8.a -35fi 35fh.a -35fr 35fq.a -35g0 35fz.a -35g9 35g8.a -35gi 35gh.a -35gr 35gq.a
-3gti bch 35gz.a -35h9 35h8.a -35hi 35hh.a -35hr 35hq.a -35i0 35hz.a -35i9 35i8.a -35ii 35ih.a -35ir 35iq.a -35j0
35iz.a -35j9 35j8.a -3gw9 bcq 35jh.a -35jr 35jq.a -35k0 35jz.a -35k9 35k8.a -35ki 35kh.a -35kr 35kq.a -35l0 35kz.a
-35l9 35l8.a -35li 35lh.a -35lr 35lq.a -3gz0 bcz 35lz.a -35m9 35m8.a -35mi 35mh.a -35mr 35mq.a -35n0 35mz.a -35n9
35n8.a -35ni 35nh.a -35nr 35nq.a -35o0 35nz.a -35o9 35o8.a -3h1r bd8 35oh.a -35or 35oq.a -35p0 35oz.a -35p9 35p8.a
-35pi 35ph.a -35pr 35pq.a -35q0 35pz.a -35q9 35q8.a -35qi 35qh.a -35qr 35qq.a -3h4i bdh 35qz.a -35r9 35r8.a -35ri
35rh.a -35rr 35rq.a -35s0 35rz.a -35s9 35s8.a -35si 35sh.a -35sr 35sq.a -35t0 35sz.a -35t9 35t8.a -3h79 bdq 35th.a
-35tr 35tq.a -35u0 35tz.a -35u9 35u8.a -35ui 35uh.a -35ur 35uq.a -35v0 35uz.a -35v9 35v8.a -35vi 35vh.a -35vr 35vq.a
-3if0 14z bdz 35vz.a -35w9 35w8.a -35wi 35wh.a -35wr 35wq.a -35x0 35wz.a -35x9 35x8.a -35xi 35xh.a -35xr 35xq.a -35y0
35xz.a -35y9 35y8.a -3hcr be8 35yh.a -35yr 35yq.a -35z0 35yz.a -35z9 35z8.a -35zi 35zh.a -35zr 35zq.a -3600 35zz.a
-3609 3608.a -360i 360h.a -360r 360q.a -3hfi beh 360z.a -3619 3618.a -361i 361h.a -361r 361q.a -3620 361z.a -3629
3628.a -362i 362h.a -362r 362q.a -3630 362z.a -3639 3638.a -3hi9 beq 363h.a -363r 363q.a -3640 363z.a -3649 3648.a
-364i 364h.a -364r 364q.a -3650 364z.a -3659 3658.a -365i 365h.a -365r 365q.a -3hl0 bez 365z.a -3669 3668.a -366i
366h.a -366r 366q.a -3670 366z.a -3679 3678.a -367i 367h.a -367r 367q.a -3680 367z.a -3689 3688.a -3hnr bf8 368h.a
-368r 368q.a -3690 368z.a -3699 3698.a -369i 369h.a -369r 369q.a -36a0 369z.a -36a9 36a8.a -36ai 36ah.a -36ar 36aq.a
-3hqi bfh 36az.a -36b9 36b8.a -36bi 36bh.a -36br 36bq.a -36c0 36bz.a -36c9 36c8.a -36ci 36ch.a -36cr 36cq.a -36d0
36cz.a -36d9 36d8.a -3ht9 bfq 36dh.a -36dr 36dq.a -36e0 36dz.a -36e9 36e8.a -36ei 36eh.a -36er 36eq.a -36f0 36ez.a
-36f9 36f8.a -36fi 36fh.a -36fr 36fq.a -3hw0 bfz 36fz.a -36g9 36g8.a -36gi 36gh.a -36gr 36gq.a -36h0 36gz.a -36h9
36h8.a -36hi 36hh.a -36hr 36hq.a -36i0 36hz.a -36i9 36i8.a -3hyr bg8 36ih.a -36ir 36iq.a -36j0 36iz.a -36j9 36j8.a
-36ji 36jh.a -36jr 36jq.a -36k0 36jz.a -36k9 36k8.a -36ki 36kh.a -36kr 36kq.a -3j6r 158 bgh 36kz.a -36l9 36l8.a -36li
36lh.a -36lr 36lq.a -36m0 36lz.a -36m9 36m8.a -36mi 36mh.a -36mr 36mq.a -36n0 36mz.a -36n9 36n8.a -3i49 bgq 36nh.a
-36nr 36nq.a -36o0 36nz.a -36o9 36o8.a -36oi 36oh.a -36or 36oq.a -36p0 36oz.a -36p9 36p8.a -36pi 36ph.a -36pr 36pq.a
-3i70 bgz 36pz.a -36q9 36q8.a -36qi 36qh.a -36qr 36qq.a -36r0 36qz.a -36r9 36r8.a -36ri 36rh.a -36rr 36rq.a -36s0
36rz.a -36s9 36s8.a -3i9r bh8 36sh.a -36sr 36sq.a -36t0 36sz.a -36t9 36t8.a -36ti 36th.a -36tr 36tq.a -36u0 36tz.a
-36u9 36u8.a -36ui 36uh.a -36ur 36uq.a -3ici bhh 36uz.a -36v9 36v8.a -36vi 36vh.a -36vr 36vq.a -36w0 36vz.a -36w9
36w8.a -36wi 36wh.a -36wr 36wq.a -36x0 36wz.a -36x9 36x8.a -3if9 bhq 36xh.a -36xr 36xq.a -36y0 36xz.a -36y9 36y8.a
-36yi 36yh.a -36yr 36yq.a -36z0 36yz.a -36z9 36z8.a -36zi 36zh.a -36zr 36zq.a -3ii0 bhz 36zz.a -3709 3708.a -370i
370h.a -370r 370q.a -3710 370z.a -3719 3718.a -371i 371h.a -371r 371q.a -3720 371z.a -3729 3728.a -3ikr bi8 372h.a
-372r 372q.a -3730 372z.a -3739 3738.a -373i 373h.a -373r 373q.a -3740 373z.a -3749 3748.a -374i 374h.a -374r 374q.a
-3ini bih 374z.a -3759 3758.a -375i 375h.a -375r 375q.a -3760 375z.a -3769 3768.a -376i 376h.a -376r 376q.a -3770
376z.a -3779 3778.a -3iq9 biq 377h.a -377r 377q.a -3780 377z.a -3789 3788.a -378i 378h.a -378r 378q.a -3790 378z.a
-3799 3798.a -379i 379h.a -379r 379q.a -3jyi 15h biz 379z.a -37a9 37a8.a -37ai 37ah.a -37ar 37aq.a -37b0 37az.a -37b9
37b8.a -37bi 37bh.a -37br 37bq.a -37c0 37bz.a -37c9 37c8.a -3ivr bj8 37ch.a -37cr 37cq.a -37d0 37cz.a -37d9 37d8.a
-37di 37dh.a -37dr 37dq.a -37e0 37dz.a -37e9 37e8.a -37ei 37eh.a -37er 37eq.a -3iyi bjh 37ez.a -37f9 37f8.a -37fi
37fh.a -37fr 37fq.a -37g0 37fz.a -37g9 37g8.a -37gi 37gh.a -37gr 37gq.a -37h0 37gz.a -37h9 37h8.a -3j19 bjq 37hh.a
-37hr 37hq.a -37i0 37hz.a -37i9 37i8.a -37ii 37ih.a -37ir 37iq.a -37j0 37iz.a -37j9 37j8.a -37ji 37jh.a -37jr 37jq.a
-3j40 bjz 37jz.a -37k9 37k8.a -37ki 37kh.a -37kr 37kq.a -37l0 37kz.a -37l9 37l8.a -37li 37lh.a -37lr 37lq.a -37m0
37lz.a -37m9 37m8.a -3j6r bk8 37mh.a -37mr 37mq.a -37n0 37mz.a -37n9 37n8.a -37ni 37nh.a -37nr 37nq.a -37o0 37nz.a
-37o9 37o8.a -37oi 37oh.a -37or 37oq.a -3j9i bkh 37oz.a -37p9 37p8.a -37pi 37ph.a -37pr 37pq.a -37q0 37pz.a -37q9
37q8.a -37qi 37qh.a -37qr 37qq.a -37r0 37qz.a -37r9 37r8.a -3jc9 bkq 37rh.a -37rr 37rq.a -37s0 37rz.a -37s9 37s8.a
-37si 37sh.a -37sr 37sq.a -37t0 37sz.a -37t9 37t8.a -37ti 37th.a -37tr 37tq.a -3jf0 bkz 37tz.a -37u9 37u8.a -37ui
37uh.a -37ur 37uq.a -37v0 37uz.a -37v9 37v8.a -37vi 37vh.a -37vr 37vq.a -37w0 37vz.a -37w9 37w8.a -3jhr bl8 37wh.a
-37wr 37wq.a -37x0 37wz.a -37x9 37x8.a -37xi 37xh.a -37xr 37xq.a -37y0 37xz.a -37y9 37y8.a -37yi 37yh.a -37yr 37yq.a
-3kq9 15q blh 37yz.a -37z9 37z8.a -37zi 37zh.a -37zr 37zq.a -3800 37zz.a -3809 3808.a -380i 380h.a -380r 380q.a -3810
380z.a -3819 3818.a -3jn9 blq 381h.a -381r 381q.a -3820 381z.a -3829 3828.a -382i 382h.a -382r 382q.a -3830 382z.a
-3839 3838.a -383i 383h.a -383r 383q.a -3jq0 blz 383z.a -3849 3848.a -384i 384h.a -384r 384q.a -3850 384z.a -3859
3858.a -385i 385h.a -385r 385q.a -3860 385z.a -3869 3868.a -3jsr bm8 386h.a -386r 386q.a -3870 386z.a -3879 3878.a
-387i 387h.a -387r 387q.a -3880 387z.a -3889 3888.a -388i 388h.a -388r 388q.a -3jvi bmh 388z.a -3899 3898.a -389i
389h.a -389r 389q.a -38a0 389z.a -38a9 38a8.a -38ai 38ah.a -38ar 38aq.a -38b0 38az.a -38b9 38b8.a -3jy9 bmq 38bh.a
-38br 38bq.a -38c0 38bz.a -38c9 38c8.a -38ci 38ch.a -38cr 38cq.a -38d0 38cz.a -38d9 38d8.a -38di 38dh.a -38dr 38dq.a
-3k10 bmz 38dz.a -38e9 38e8.a -38ei 38eh.a -38er 38eq.a -38f0 38ez.a -38f9 38f8.a -38fi 38fh.a -38fr 38fq.a -38g0
38fz.a -38g9 38g8.a -3k3r bn8 38gh.a -38gr 38gq.a -38h0 38gz.a -38h9 38h8.a -38hi 38hh.a -38hr 38hq.a -38i0 38hz.a
-38i9 38i8.a -38ii 38ih.a -38ir 38iq.a -3k6i bnh 38iz.a -38j9 38j8.a -38ji 38jh.a -38jr 38jq.a -38k0 38jz.a -38k9
38k8.a -38ki 38kh.a -38kr 38kq.a -38l0 38kz.a -38l9 38l8.a -3k99 bnq 38lh.a -38lr 38lq.a -38m0 38lz.a -38m9 38m8.a
-38mi 38mh.a -38mr 38mq.a -38n0 38mz.a -38n9 38n8.a -38ni 38nh.a -38nr 38nq.a -3li0 15z bnz 38nz.a -38o9 38o8.a -38oi
38oh.a -38or 38oq.a -38p0 38oz.a -38p9 38p8.a -38pi 38ph.a -38pr 38pq.a -38q0 38pz.a -38q9 38q8.a -3ker bo8 38qh.a
-38qr 38qq.a -38r0 38qz.a -38r9 38r8.a -38ri 38rh.a -38rr 38rq.a -38s0 38rz.a -38s9 38s8.a -38si 38sh.a -38sr 38sq.a
-3khi boh 38sz.a -38t9 38t8.a -38ti 38th.a -38tr 38tq.a -38u0 38tz.a -38u9 38u8.a -38ui 38uh.a -38ur 38uq.a -38v0
38uz.a -38v9 38v8.a -3kk9 boq 38vh.a -38vr 38vq.a -38w0 38vz.a -38w9 38w8.a -38wi 38wh.a -38wr 38wq.a -38x0 38wz.a
-38x9 38x8.a -38xi 38xh.a -38xr 38xq.a -3kn0 boz 38xz.a -38y9 38y8.a -38yi 38yh.a -38yr 38yq.a -38z0 38yz.a -38z9
38z8.a -38zi 38zh.a -38zr 38zq.a -3900 38zz.a -3909 3908.a -3kpr bp8 390h.a -390r 390q.a -3910 390z.a -3919 3918.a
-391i 391h.a -391r 391q.a -3920 391z.a -3929 3928.a -392i 392h.a -392r 392q.a -3ksi bph 392z.a -3939 3938.a -393i
393h.a -393r 393q.a -3940 393z.a -3949 3948.a -394i 394h.a -394r 394q.a -3950 394z.a -3959 3958.a -3kv9 bpq 395h.a
-395r 395q.a -3960 395z.a -3969 3968.a -396i 396h.a -396r 396q.a -3970 396z.a -3979 3978.a -397i 397h.a -397r 397q.a
-3ky0 bpz 397z.a -3989 3988.a -398i 398h.a -398r 398q.a -3990 398z.a -3999 3998.a -399i 399h.a -399r 399q.a -39a0
399z.a -39a9 39a8.a -3l0r bq8 39ah.a -39ar 39aq.a -39b0 39az.a -39b9 39b8.a -39bi 39bh.a -39br 39bq.a -39c0 39bz.a
-39c9 39c8.a -39ci 39ch.a -39cr 39cq.a -3m9r 168 bqh 39cz.a -39d9 39d8.a -39di 39dh.a -39dr 39dq.a -39e0 39dz.a -39e9
39e8.a -39ei 39eh.a -39er 39eq.a -39f0 39ez.a -39f9 39f8.a -3l69 bqq 39fh.a -39fr 39fq.a -39g0 39fz.a -39g9 39g8.a
-39gi 39gh.a -39gr 39gq.a -39h0 39gz.a -39h9 39h8.a -39hi 39hh.a -39hr 39hq.a -3l90 bqz 39hz.a -39i9 39i8.a -39ii
39ih.a -39ir 39iq.a -39j0 39iz.a -39j9 39j8.a -39ji 39jh.a -39jr 39jq.a -39k0 39jz.a -39k9 39k8.a -3lbr br8 39kh.a
-39kr 39kq.a -39l0 39kz.a -39l9 39l8.a -39li 39lh.a -39lr 39lq.a -39m0 39lz.a -39m9 39m8.a -39mi 39mh.a -39mr 39mq.a
-3lei brh 39mz.a -39n9 39n8.a -39ni 39nh.a -39nr 39nq.a -39o0 39nz.a -39o9 39o8.a -39oi 39oh.a -39or 39oq.a -39p0
39oz.a -39p9 39p8.a -3lh9 brq 39ph.a -39pr 39pq.a -39q0 39pz.a -39q9 39q8.a -39qi 39qh.a -39qr 39qq.a -39r0 39qz.a
-39r9 39r8.a -39ri 39rh.a -39rr 39rq.a -3lk0 brz 39rz.a -39s9 39s8.a -39si 39sh.a -39sr 39sq.a -39t0 39sz.a -39t9
39t8.a -39ti 39th.a -39tr 39tq.a -39u0 39tz.a -39u9 39u8.a -3lmr bs8 39uh.a -39ur 39uq.a -39v0 39uz.a -39v9 39v8.a
-39vi 39vh.a -39vr 39vq.a -39w0 39vz.a -39w9 39w8.a -39wi 39wh.a -39wr 39wq.a -3lpi bsh 39wz.a -39x9 39x8.a -39xi
39xh.a -39xr 39xq.a -39y0 39xz.a -39y9 39y8.a -39yi 39yh.a -39yr 39yq.a -39z0 39yz.a -39z9 39z8.a -3ls9 bsq 39zh.a
-39zr 39zq.a -3a00 39zz.a -3a09 3a08.a -3a0i 3a0h.a -3a0r 3a0q.a -3a10 3a0z.a -3a19 3a18.a -3a1i 3a1h.a -3a1r 3a1q.a
-3n1i 16h bsz 3a1z.a -3a29 3a28.a -3a2i 3a2h.a -3a2r 3a2q.a -3a30 3a2z.a -3a39 3a38.a -3a3i 3a3h.a -3a3r 3a3q.a -3a40
3a3z.a -3a49 3a48.a -3lxr bt8 3a4h.a -3a4r 3a4q.a -3a50 3a4z.a -3a59 3a58.a -3a5i 3a5h.a -3a5r 3a5q.a -3a60 3a5z.a
-3a69 3a68.a -3a6i 3a6h.a -3a6r 3a6q.a -3m0i bth 3a6z.a -3a79 3a78.a -3a7i 3a7h.a -3a7r 3a7q.a -3a80 3a7z.a -3a89
3a88.a -3a8i 3a8h.a -3a8r 3a8q.a -3a90 3a8z.a -3a99 3a98.a -3m39 btq 3a9h.a -3a9r 3a9q.a -3aa0 3a9z.a -3aa9 3aa8.a
-3aai 3aah.a -3aar 3aaq.a -3ab0 3aaz.a -3ab9 3ab8.a -3abi 3abh.a -3abr 3abq.a -3m60 btz 3abz.a -3ac9 3ac8.a -3aci
3ach.a -3acr 3acq.a -3ad0 3acz.a -3ad9 3ad8.a -3adi 3adh.a -3adr 3adq.a -3ae0 3adz.a -3ae9 3ae8.a -3m8r bu8 3aeh.a
-3aer 3aeq.a -3af0 3aez.a -3af9 3af8.a -3afi 3afh.a -3afr 3afq.a -3ag0 3afz.a -3ag9 3ag8.a -3agi 3agh.a -3agr 3agq.a
-3mbi buh 3agz.a -3ah9 3ah8.a -3ahi 3ahh.a -3ahr 3ahq.a -3ai0 3ahz.a -3ai9 3ai8.a -3aii 3aih.a -3air 3aiq.a -3aj0
3aiz.a -3aj9 3aj8.a -3me9 buq 3ajh.a -3ajr 3ajq.a -3ak0 3ajz.a -3ak9 3ak8.a -3aki 3akh.a -3akr 3akq.a -3al0 3akz.a
-3al9 3al8.a -3ali 3alh.a -3alr 3alq.a -3mh0 buz 3alz.a -3am9 3am8.a -3ami 3amh.a -3amr 3amq.a -3an0 3amz.a -3an9
3an8.a -3ani 3anh.a -3anr 3anq.a -3ao0 3anz.a -3ao9 3ao8.a -3mjr bv8 3aoh.a -3aor 3aoq.a -3ap0 3aoz.a -3ap9 3ap8.a
-3api 3aph.a -3apr 3apq.a -3aq0 3apz.a -3aq9 3aq8.a -3aqi 3aqh.a -3aqr 3aqq.a -3nt9 16q bvh 3aqz.a -3ar9 3ar8.a -3ari
3arh.a -3arr 3arq.a -3as0 3arz.a -3as9 3as8.a -3asi 3ash.a -3asr 3asq.a -3at0 3asz.a -3at9 3at8.a -3mp9 bvq 3ath.a
-3atr 3atq.a -3au0 3atz.a -3au9 3au8.a -3aui 3auh.a -3aur 3auq.a -3av0 3auz.a -3av9 3av8.a -3avi 3avh.a -3avr 3avq.a
-3ms0 bvz 3avz.a -3aw9 3aw8.a -3awi 3awh.a -3awr 3awq.a -3ax0 3awz.a -3ax9 3ax8.a -3axi 3axh.a -3axr 3axq.a -3ay0
3axz.a -3ay9 3ay8.a -3mur bw8 3ayh.a -3ayr 3ayq.a -3az0 3ayz.a -3az9 3az8.a -3azi 3azh.a -3azr 3azq.a -3b00 3azz.a
-3b09 3b08.a -3b0i 3b0h.a -3b0r 3b0q.a -3mxi bwh 3b0z.a -3b19 3b18.a -3b1i 3b1h.a -3b1r 3b1q.a -3b20 3b1z.a -3b29
3b28.a -3b2i 3b2h.a -3b2r 3b2q.a -3b30 3b2z.a -3b39 3b38.a -3n09 bwq 3b3h.a -3b3r 3b3q.a -3b40 3b3z.a -3b49 3b48.a
-3b4i 3b4h.a -3b4r 3b4q.a -3b50 3b4z.a -3b59 3b58.a -3b5i 3b5h.a -3b5r 3b5q.a -3n30 bwz 3b5z.a -3b69 3b68.a -3b6i
3b6h.a -3b6r 3b6q.a -3b70 3b6z.a -3b79 3b78.a -3b7i 3b7h.a -3b7r 3b7q.a -3b80 3b7z.a -3b89 3b88.a -3n5r bx8 3b8h.a
-3b8r 3b8q.a -3b90 3b8z.a -3b99 3b98.a -3b9i 3b9h.a -3b9r 3b9q.a -3ba0 3b9z.a -3ba9 3ba8.a -3bai 3bah.a -3bar 3baq.a
-3n8i bxh 3baz.a -3bb9 3bb8.a -3bbi 3bbh.a -3bbr 3bbq.a -3bc0 3bbz.a -3bc9 3bc8.a -3bci 3bch.a -3bcr 3bcq.a -3bd0
3bcz.a -3bd9 3bd8.a -3nb9 bxq 3bdh.a -3bdr 3bdq.a -3be0 3bdz.a -3be9 3be8.a -3bei 3beh.a -3ber 3beq.a -3bf0 3bez.a
-3bf9 3bf8.a -3bfi 3bfh.a -3bfr 3bfq.a -3ol0 16z bxz 3bfz.a -3bg9 3bg8.a -3bgi 3bgh.a -3bgr 3bgq.a -3bh0 3bgz.a -3bh9
3bh8.a -3bhi 3bhh.a -3bhr 3bhq.a -3bi0 3bhz.a -3bi9 3bi8.a -3ngr by8 3bih.a -3bir 3biq.a -3bj0 3biz.a -3bj9 3bj8.a
-3bji 3bjh.a -3bjr 3bjq.a -3bk0 3bjz.a -3bk9 3bk8.a -3bki 3bkh.a -3bkr 3bkq.a -3nji byh 3bkz.a -3bl9 3bl8.a -3bli
3blh.a -3blr 3blq.a -3bm0 3blz.a -3bm9 3bm8.a -3bmi 3bmh.a -3bmr 3bmq.a -3bn0 3bmz.a -3bn9 3bn8.a -3nm9 byq 3bnh.a
-3bnr 3bnq.a -3bo0 3bnz.a -3bo9 3bo8.a -3boi 3boh.a -3bor 3boq.a -3bp0 3boz.a -3bp9 3bp8.a -3bpi 3bph.a -3bpr 3bpq.a
-3np0 byz 3bpz.a -3bq9 3bq8.a -3bqi 3bqh.a -3bqr 3bqq.a -3br0 3bqz.a -3br9 3br8.a -3bri 3brh.a -3brr 3brq.a -3bs0
3brz.a -3bs9 3bs8.a -3nrr bz8 3bsh.a -3bsr 3bsq.a -3bt0 3bsz.a -3bt9 3bt8.a -3bti 3bth.a -3btr 3btq.a -3bu0 3btz.a
-3bu9 3bu8.a -3bui 3buh.a -3bur 3buq.a -3nui bzh 3buz.a -3bv9 3bv8.a -3bvi 3bvh.a -3bvr 3bvq.a -3bw0 3bvz.a -3bw9
3bw8.a -3bwi 3bwh.a -3bwr 3bwq.a -3bx0 3bwz.a -3bx9 3bx8.a -3nx9 bzq 3bxh.a -3bxr 3bxq.a -3by0 3bxz.a -3by9 3by8.a
-3byi 3byh.a -3byr 3byq.a -3bz0 3byz.a -3bz9 3bz8.a -3bzi 3bzh.a -3bzr 3bzq.a -3o00 bzz 3bzz.a -3c09 3c08.a -3c0i
3c0h.a -3c0r 3c0q.a -3c10 3c0z.a -3c19 3c18.a -3c1i 3c1h.a -3c1r 3c1q.a -3c20 3c1z.a -3c29 3c28.a -3o2r c08 3c2h.a
-3c2r 3c2q.a -3c30 3c2z.a -3c39 3c38.a -3c3i 3c3h.a -3c3r 3c3q.a -3c40 3c3z.a -3c49 3c48.a -3c4i 3c4h.a -3c4r 3c4q.a
-3pcr 178 c0h 3c4z.a -3c59 3c58.a -3c5i 3c5h.a -3c5r 3c5q.a -3c60 3c5z.a -3c69 3c68.a -3c6i 3c6h.a -3c6r 3c6q.a -3c70
3c6z.a -3c79 3c78.a -3o89 c0q 3c7h.a -3c7r 3c7q.a -3c80 3c7z.a -3c89 3c88.a -3c8i 3c8h.a -3c8r 3c8q.a -3c90 3c8z.a
-3c99 3c98.a -3c9i 3c9h.a -3c9r 3c9q.a -3ob0 c0z 3c9z.a -3ca9 3ca8.a -3cai 3cah.a -3car 3caq.a -3cb0 3caz.a -3cb9
3cb8.a -3cbi 3cbh.a -3cbr 3cbq.a -3cc0 3cbz.a -3cc9 3cc8.a -3odr c18 3cch.a -3ccr 3ccq.a -3cd0 3ccz.a -3cd9 3cd8.a
-3cdi 3cdh.a -3cdr 3cdq.a -3ce0 3cdz.a -3ce9 3ce8.a -3cei 3ceh.a -3cer 3ceq.a -3ogi c1h 3cez.a -3cf9 3cf8.a -3cfi
3cfh.a -3cfr 3cfq.a -3cg0 3cfz.a -3cg9 3cg8.a -3cgi 3cgh.a -3cgr 3cgq.a -3ch0 3cgz.a -3ch9 3ch8.a -3oj9 c1q 3chh.a
-3chr 3chq.a -3ci0 3chz.a -3ci9 3ci8.a -3cii 3cih.a -3cir 3ciq.a -3cj0 3ciz.a -3cj9 3cj8.a -3cji 3cjh.a -3cjr 3cjq.a
-3om0 c1z 3cjz.a -3ck9 3ck8.a -3cki 3ckh.a -3ckr 3ckq.a -3cl0 3ckz.a -3cl9 3cl8.a -3cli 3clh.a -3clr 3clq.a -3cm0
3clz.a -3cm9 3cm8.a -3oor c28 3cmh.a -3cmr 3cmq.a -3cn0 3cmz.a -3cn9 3cn8.a -3cni 3cnh.a -3cnr 3cnq.a -3co0 3cnz.a
-3co9 3co8.a -3coi 3coh.a -3cor 3coq.2 -3ora c2h.3 3cpl.6 -3cpr 3cpq.a -3cq0 3cpz.a -3cq9 3cq8.a -3cqi 3cqh.a -3cqr
3cqq.a -3cr0 3cqz.a -3cr9 3cr8.a -3ou9 c2q 3crh.a -3crr 3crq.a -3cs0 3crz.a -3cs9 3cs8.a -3csi 3csh.a -3csr 3csq.a
-3ct0 3csz.a -3ct9 3ct8.a -3cti 3cth.a -3ctr 3ctq.a -3q4i 17h c2z 3ctz.a -3cu9 3cu8.a -3cui 3cuh.a -3cur 3cuq.a -3cv0
3cuz.a -3cv9 3cv8.a -3cvi 3cvh.a -3cvr 3cvq.a -3cw0 3cvz.a -3cw9 3cw8.a -3ozr c38 3cwh.a -3cwr 3cwq.a -3cx0 3cwz.a
-3cx9 3cx8.a -3cxi 3cxh.a -3cxr 3cxq.a -3cy0 3cxz.a -3cy9 3cy8.a -3cyi 3cyh.a -3cyr 3cyq.a -3p2i c3h 3cyz.a -3cz9
3cz8.a -3czi 3czh.a -3czr 3czq.a -3d00 3czz.a -3d09 3d08.a -3d0i 3d0h.a -3d0r 3d0q.a -3d10 3d0z.a -3d19 3d18.a -3p59
c3q 3d1h.a -3d1r 3d1q.a -3d20 3d1z.a -3d29 3d28.a -3d2i 3d2h.a -3d2r 3d2q.a -3d30 3d2z.a -3d39 3d38.a -3d3i 3d3h.a
-3d3r 3d3q.a -3p80 c3z 3d3z.a -3d49 3d48.a -3d4i 3d4h.a -3d4r 3d4q.a -3d50 3d4z.a -3d59 3d58.a -3d5i 3d5h.a -3d5r
3d5q.a -3d60 3d5z.a -3d69 3d68.a -3par c48 3d6h.a -3d6r 3d6q.a -3d70 3d6z.a -3d79 3d78.a -3d7i 3d7h.a -3d7r 3d7q.a
-3d80 3d7z.a -3d89 3d88.a -3d8i 3d8h.a -3d8r 3d8q.a -3pdi c4h 3d8z.a -3d99 3d98.a -3d9i 3d9h.a -3d9r 3d9q.a -3da0
3d9z.a -3da9 3da8.a -3dai 3dah.a -3dar 3daq.a -3db0 3daz.a -3db9 3db8.a -3pg9 c4q 3dbh.a -3dbr 3dbq.a -3dc0 3dbz.a
-3dc9 3dc8.a -3dci 3dch.a -3dcr 3dcq.a -3dd0 3dcz.a -3dd9 3dd8.a -3ddi 3ddh.a -3ddr 3ddq.a -3pj0 c4z 3ddz.a -3de9
3de8.a -3dei 3deh.a -3der 3deq.a -3df0 3dez.a -3df9 3df8.a -3dfi 3dfh.a -3dfr 3dfq.a -3dg0 3dfz.a -3dg9 3dg8.a -3plr
c58 3dgh.a -3dgr 3dgq.a -3dh0 3dgz.a -3dh9 3dh8.a -3dhi 3dhh.a -3dhr 3dhq.a -3di0 3dhz.a -3di9 3di8.a -3dii 3dih.a
-3dir 3diq.a -3qw9 17q c5h 3diz.a -3dj9 3dj8.a -3dji 3djh.a -3djr 3djq.a -3dk0 3djz.a -3dk9 3dk8.a -3dki 3dkh.a -3dkr
3dkq.a -3dl0 3dkz.a -3dl9 3dl8.a -3pr9 c5q 3dlh.a -3dlr 3dlq.a -3dm0 3dlz.a -3dm9 3dm8.a -3dmi 3dmh.a -3dmr 3dmq.a
-3dn0 3dmz.a -3dn9 3dn8.a -3dni 3dnh.a -3dnr 3dnq.a -3pu0 c5z 3dnz.a -3do9 3do8.a -3doi 3doh.a -3dor 3doq.a -3dp0
3doz.a -3dp9 3dp8.a -3dpi 3dph.a -3dpr 3dpq.a -3dq0 3dpz.a -3dq9 3dq8.a -3pwr c68 3dqh.a -3dqr 3dqq.a -3dr0 3dqz.a
-3dr9 3dr8.a -3dri 3drh.a -3drr 3drq.a -3ds0 3drz.a -3ds9 3ds8.a -3dsi 3dsh.a -3dsr 3dsq.a -3pzi c6h 3dsz.a -3dt9
3dt8.a -3dti 3dth.a -3dtr 3dtq.a -3du0 3dtz.a -3du9 3du8.a -3dui 3duh.a -3dur 3duq.a -3dv0 3duz.a -3dv9 3dv8.a -3q29
c6q 3dvh.a -3dvr 3dvq.a -3dw0 3dvz.a -3dw9 3dw8.a -3dwi 3dwh.a -3dwr 3dwq.a -3dx0 3dwz.a -3dx9 3dx8.a -3dxi 3dxh.a
-3dxr 3dxq.a -3q50 c6z 3dxz.a -3dy9 3dy8.a -3dyi 3dyh.a -3dyr 3dyq.a -3dz0 3dyz.a -3dz9 3dz8.a -3dzi 3dzh.a -3dzr
3dzq.a -3e00 3dzz.a -3e09 3e08.a -3q7r c78 3e0h.a -3e0r 3e0q.a -3e10 3e0z.a -3e19 3e18.a -3e1i 3e1h.a -3e1r 3e1q.a
-3e20 3e1z.a -3e29 3e28.a -3e2i 3e2h.a -3e2r 3e2q.a -3qai c7h 3e2z.a -3e39 3e38.a -3e3i 3e3h.a -3e3r 3e3q.a -3e40
3e3z.a -3e49 3e48.a -3e4i 3e4h.a -3e4r 3e4q.a -3e50 3e4z.a -3e59 3e58.a -3qd9 c7q 3e5h.a -3e5r 3e5q.a -3e60 3e5z.a
-3e69 3e68.a -3e6i 3e6h.a -3e6r 3e6q.a -3e70 3e6z.a -3e79 3e78.a -3e7i 3e7h.a -3e7r 3e7q.a -3ro0 17z c7z 3e7z.a -3e89
3e88.a -3e8i 3e8h.a -3e8r 3e8q.a -3e90 3e8z.a -3e99 3e98.a -3e9i 3e9h.a -3e9r 3e9q.a -3ea0 3e9z.a -3ea9 3ea8.a -3qir
c88 3eah.a -3ear 3eaq.a -3eb0 3eaz.a -3eb9 3eb8.a -3ebi 3ebh.a -3ebr 3ebq.a -3ec0 3ebz.a -3ec9 3ec8.a -3eci 3ech.a
-3ecr 3ecq.a -3qli c8h 3ecz.a -3ed9 3ed8.a -3edi 3edh.a -3edr 3edq.a -3ee0 3edz.a -3ee9 3ee8.a -3eei 3eeh.a -3eer
3eeq.a -3ef0 3eez.a -3ef9 3ef8.a -3qo9 c8q 3efh.a -3efr 3efq.a -3eg0 3efz.a -3eg9 3eg8.a -3egi 3egh.a -3egr 3egq.a
-3eh0 3egz.a -3eh9 3eh8.a -3ehi 3ehh.a -3ehr 3ehq.a -3qr0 c8z 3ehz.a -3ei9 3ei8.a -3eii 3eih.a -3eir 3eiq.a -3ej0
3eiz.a -3ej9 3ej8.a -3eji 3ejh.a -3ejr 3ejq.a -3ek0 3ejz.a -3ek9 3ek8.a -3qtr c98 3ekh.a -3ekr 3ekq.a -3el0 3ekz.a
-3el9 3el8.a -3eli 3elh.a -3elr 3elq.a -3em0 3elz.a -3em9 3em8.a -3emi 3emh.a -3emr 3emq.a -3qwi c9h 3emz.a -3en9
3en8.a -3eni 3enh.a -3enr 3enq.a -3eo0 3enz.a -3eo9 3eo8.a -3eoi 3eoh.a -3eor 3eoq.a -3ep0 3eoz.a -3ep9 3ep8.a -3qz9
c9q 3eph.a -3epr 3epq.a -3eq0 3epz.a -3eq9 3eq8.a -3eqi 3eqh.a -3eqr 3eqq.a -3er0 3eqz.a -3er9 3er8.a -3eri 3erh.a
-3err 3erq.a -3r20 c9z 3erz.a -3es9 3es8.a -3esi 3esh.a -3esr 3esq.a -3et0 3esz.a -3et9 3et8.a -3eti 3eth.a -3etr
3etq.a -3eu0 3etz.a -3eu9 3eu8.a -3r4r ca8 3euh.a -3eur 3euq.a -3ev0 3euz.a -3ev9 3ev8.a -3evi 3evh.a -3evr 3evq.a
-3ew0 3evz.a -3ew9 3ew8.a -3ewi 3ewh.a -3ewr 3ewq.a -3sfr 188 cah 3ewz.a -3ex9 3ex8.a -3exi 3exh.a -3exr 3exq.a -3ey0
3exz.a -3ey9 3ey8.a -3eyi 3eyh.a -3eyr 3eyq.a -3ez0 3eyz.a -3ez9 3ez8.a -3ra9 caq 3ezh.a -3ezr 3ezq.a -3f00 3ezz.a
-3f09 3f08.a -3f0i 3f0h.a -3f0r 3f0q.a -3f10 3f0z.a -3f19 3f18.a -3f1i 3f1h.a -3f1r 3f1q.a -3rd0 caz 3f1z.a -3f29
3f28.a -3f2i 3f2h.a -3f2r 3f2q.a -3f30 3f2z.a -3f39 3f38.a -3f3i 3f3h.a -3f3r 3f3q.a -3f40 3f3z.a -3f49 3f48.a -3rfr
cb8 3f4h.a -3f4r 3f4q.a -3f50 3f4z.a -3f59 3f58.a -3f5i 3f5h.a -3f5r 3f5q.a -3f60 3f5z.a -3f69 3f68.a -3f6i 3f6h.a
-3f6r 3f6q.a -3rii cbh 3f6z.a -3f79 3f78.a -3f7i 3f7h.a -3f7r 3f7q.a -3f80 3f7z.a -3f89 3f88.a -3f8i 3f8h.a -3f8r
3f8q.a -3f90 3f8z.a -3f99 3f98.a -3rl9 cbq 3f9h.a -3f9r 3f9q.a -3fa0 3f9z.a -3fa9 3fa8.a -3fai 3fah.a -3far 3faq.a
-3fb0 3faz.a -3fb9 3fb8.a -3fbi 3fbh.a -3fbr 3fbq.a -3ro0 cbz 3fbz.a -3fc9 3fc8.a -3fci 3fch.a -3fcr 3fcq.a -3fd0
3fcz.a -3fd9 3fd8.a -3fdi 3fdh.a -3fdr 3fdq.a -3fe0 3fdz.a -3fe9 3fe8.a -3rqr cc8 3feh.a -3fer 3feq.a -3ff0 3fez.a
-3ff9 3ff8.a -3ffi 3ffh.a -3ffr 3ffq.a -3fg0 3ffz.a -3fg9 3fg8.a -3fgi 3fgh.a -3fgr 3fgq.a -3rti cch 3fgz.a -3fh9
3fh8.a -3fhi 3fhh.a -3fhr 3fhq.a -3fi0 3fhz.a -3fi9 3fi8.a -3fii 3fih.a -3fir 3fiq.a -3fj0 3fiz.a -3fj9 3fj8.a -3rw9
ccq 3fjh.a -3fjr 3fjq.a -3fk0 3fjz.a -3fk9 3fk8.a -3fki 3fkh.a -3fkr 3fkq.a -3fl0 3fkz.a -3fl9 3fl8.7 -3flf 3fll.6
-3flr 3flq.a -3t7i 18h ccz 3flz.a -3fm9 3fm8.a -3fmi 3fmh.a -3fmr 3fmq.a -3fn0 3fmz.a -3fn9 3fn8.a -3fni 3fnh.a -3fnr
3fnq.a -3fo0 3fnz.a -3fo9 3fo8.a -3s1r cd8 3foh.a -3for 3foq.a -3fp0 3foz.a -3fp9 3fp8.a -3fpi 3fph.a -3fpr 3fpq.a
-3fq0 3fpz.a -3fq9 3fq8.a -3fqi 3fqh.a -3fqr 3fqq.a -3s4i cdh 3fqz.6 2.2 -3fr9 3fr8.a -3fri 3frh.a -3frr 3frq.a -3fs0
3frz.a -3fs9 3fs8.a -3fsi 3fsh.a -3fsr 3fsq.a -3ft0 3fsz.a -3ft9 3ft8.a -3s79 cdq 3fth.a -3ftr 3ftq.a -3fu0 3ftz.a
-3fu9 3fu8.a -3fui 3fuh.a -3fur 3fuq.a -3fv0 3fuz.a -3fv9 3fv8.a -3fvi 3fvh.a -3fvr 3fvq.a -3sa0 cdz 3fvz.a -3fw9
3fw8.a -3fwi 3fwh.a -3fwr 3fwq.a -3fx0 3fwz.a -3fx9 3fx8.a -3fxi 3fxh.a -3fxr 3fxq.a -3fy0 3fxz.a -3fy9 3fy8.a -3scr
ce8 3fyh.a -3fyr 3fyq.a -3fz0 3fyz.a -3fz9 3fz8.a -3fzi 3fzh.a -3fzr 3fzq.a -3g00 3fzz.a -3g09 3g08.a -3g0i 3g0h.a
-3g0r 3g0q.a -3sfi ceh 3g0z.a -3g19 3g18.a -3g1i 3g1h.a -3g1r 3g1q.a -3g20 3g1z.a -3g29 3g28.a -3g2i 3g2h.a -3g2r
3g2q.a -3g30 3g2z.a -3g39 3g38.a -3si9 ceq 3g3h.a -3g3r 3g3q.a -3g40 3g3z.a -3g49 3g48.a -3g4i 3g4h.a -3g4r 3g4q.a
-3g50 3g4z.a -3g59 3g58.a -3g5i 3g5h.a -3g5r 3g5q.a -3sl0 cez 3g5z.a -3g69 3g68.a -3g6i 3g6h.a -3g6r 3g6q.a -3g70
3g6z.a -3g79 3g78.a -3g7i 3g7h.a -3g7r 3g7q.a -3g80 3g7z.a -3g89 3g88.a -3snr cf8 3g8h.a -3g8r 3g8q.a -3g90 3g8z.a
-3g99 3g98.a -3g9i 3g9h.a -3g9r 3g9q.a -3ga0 3g9z.a -3ga9 3ga8.a -3gai 3gah.a -3gar 3gaq.a -3tz9 18q cfh 3gaz.a -3gb9
3gb8.a -3gbi 3gbh.a -3gbr 3gbq.a -3gc0 3gbz.a -3gc9 3gc8.a -3gci 3gch.a -3gcr 3gcq.a -3gd0 3gcz.a -3gd9 3gd8.a -3st9
cfq 3gdh.a -3gdr 3gdq.a -3ge0 3gdz.a -3ge9 3ge8.a -3gei 3geh.a -3ger 3geq.a -3gf0 3gez.a -3gf9 3gf8.a -3gfi 3gfh.a
-3gfr 3gfq.a -3sw0 cfz 3gfz.a -3gg9 3gg8.a -3ggi 3ggh.a -3ggr 3ggq.a -3gh0 3ggz.a -3gh9 3gh8.a -3ghi 3ghh.a -3ghr
3ghq.a -3gi0 3ghz.a -3gi9 3gi8.a -3syr cg8 3gih.a -3gir 3giq.a -3gj0 3giz.a -3gj9 3gj8.a -3gji 3gjh.a -3gjr 3gjq.a
-3gk0 3gjz.a -3gk9 3gk8.a -3gki 3gkh.a -3gkr 3gkq.a -3t1i cgh 3gkz.a -3gl9 3gl8.a -3gli 3glh.a -3glr 3glq.a -3gm0
3glz.a -3gm9 3gm8.a -3gmi 3gmh.a -3gmr 3gmq.a -3gn0 3gmz.a -3gn9 3gn8.a -3t49 cgq 3gnh.a -3gnr 3gnq.a -3go0 3gnz.a
-3go9 3go8.a -3goi 3goh.a -3gor 3goq.a -3gp0 3goz.a -3gp9 3gp8.a -3gpi 3gph.a -3gpr 3gpq.a -3t70 cgz 3gpz.a -3gq9
3gq8.a -3gqi 3gqh.a -3gqr 3gqq.a -3gr0 3gqz.a -3gr9 3gr8.a -3gri 3grh.a -3grr 3grq.a -3gs0 3grz.a -3gs9 3gs8.a -3t9r
ch8 3gsh.a -3gsr 3gsq.a -3gt0 3gsz.a -3gt9 3gt8.a -3gti 3gth.a -3gtr 3gtq.a -3gu0 3gtz.a -3gu9 3gu8.a -3gui 3guh.a
-3gur 3guq.a -3tci chh 3guz.a -3gv9 3gv8.a -3gvi 3gvh.a -3gvr 3gvq.a -3gw0 3gvz.a -3gw9 3gw8.a -3gwi 3gwh.a -3gwr
3gwq.a -3gx0 3gwz.a -3gx9 3gx8.a -3tf9 chq 3gxh.a -3gxr 3gxq.a -3gy0 3gxz.a -3gy9 3gy8.a -3gyi 3gyh.a -3gyr 3gyq.a
-3gz0 3gyz.a -3gz9 3gz8.a -3gzi 3gzh.a -3gzr 3gzq.a -3ur0 18z chz 3gzz.a -3h09 3h08.a -3h0i 3h0h.a -3h0r 3h0q.a -3h10
3h0z.a -3h19 3h18.a -3h1i 3h1h.a -3h1r 3h1q.a -3h20 3h1z.a -3h29 3h28.a -3tkr ci8 3h2h.a -3h2r 3h2q.a -3h30 3h2z.a
-3h39 3h38.a -3h3i 3h3h.a -3h3r 3h3q.a -3h40 3h3z.a -3h49 3h48.a -3h4i 3h4h.a -3h4r 3h4q.a -3tni cih 3h4z.a -3h59
3h58.a -3h5i 3h5h.a -3h5r 3h5q.a -3h60 3h5z.a -3h69 3h68.a -3h6i 3h6h.a -3h6r 3h6q.a -3h70 3h6z.a -3h79 3h78.a -3tq9
ciq 3h7h.a -3h7r 3h7q.a -3h80 3h7z.a -3h89 3h88.a -3h8i 3h8h.a -3h8r 3h8q.a -3h90 3h8z.a -3h99 3h98.a -3h9i 3h9h.a
-3h9r 3h9q.a -3tt0 ciz 3h9z.a -3ha9 3ha8.a -3hai 3hah.a -3har 3haq.a -3hb0 3haz.a -3hb9 3hb8.a -3hbi 3hbh.a -3hbr
3hbq.a -3hc0 3hbz.a -3hc9 3hc8.a -3tvr cj8 3hch.a -3hcr 3hcq.a -3hd0 3hcz.a -3hd9 3hd8.a -3hdi 3hdh.a -3hdr 3hdq.a
-3he0 3hdz.a -3he9 3he8.a -3hei 3heh.a -3her 3heq.a -3hf0 3hez.a -3hf9 3hf8.a -3hfi 3hfh.a -3hfr 3hfq.a -3hg0 3hfz.a
-3hg9 3hg8.a -3hgi 3hgh.a -3hgr 3hgq.a -3hh0 3hgz.a -3hh9 3hh8.a -3u19 cjq 3hhh.a -3hhr 3hhq.a -3hi0 3hhz.a -3hi9
3hi8.a -3hii 3hih.a -3hir 3hiq.a -3hj0 3hiz.a -3hj9 3hj8.a -3hji 3hjh.a -3hjr 3hjq.a -3u40 cjz 3hjz.a -3hk9 3hk8.a
-3hki 3hkh.a -3hkr 3hkq.a -3hl0 3hkz.a -3hl9 3hl8.a -3hli 3hlh.a -3hlr 3hlq.a -3hm0 3hlz.a -3hm9 3hm8.a -3u6r ck8
3hmh.a -3hmr 3hmq.a -3hn0 3hmz.a -3hn9 3hn8.a -3hni 3hnh.a -3hnr 3hnq.a -3ho0 3hnz.a -3ho9 3ho8.a -3hoi 3hoh.a -3hor
3hoq.a -3vir 198 ckh 3hoz.a -3hp9 3hp8.a -3hpi 3hph.a -3hpr 3hpq.a -3hq0 3hpz.a -3hq9 3hq8.a -3hqi 3hqh.a -3hqr 3hqq.a
-3hr0 3hqz.a -3hr9 3hr8.a -3uc9 ckq 3hrh.a -3hrr 3hrq.a -3hs0 3hrz.a -3hs9 3hs8.a -3hsi 3hsh.a -3hsr 3hsq.a -3ht0
3hsz.a -3ht9 3ht8.a -3hti 3hth.a -3htr 3htq.a -3uf0 ckz 3htz.a -3hu9 3hu8.a -3hui 3huh.a -3hur 3huq.a -3hv0 3huz.a
-3hv9 3hv8.a -3hvi 3hvh.a -3hvr 3hvq.a -3hw0 3hvz.a -3hw9 3hw8.a -3uhr cl8 3hwh.a -3hwr 3hwq.a -3hx0 3hwz.a -3hx9
3hx8.a -3hxi 3hxh.a -3hxr 3hxq.a -3hy0 3hxz.a -3hy9 3hy8.a -3hyi 3hyh.a -3hyr 3hyq.a -3uki clh 3hyz.a -3hz9 3hz8.a
-3hzi 3hzh.a -3hzr 3hzq.a -3i00 3hzz.a -3i09 3i08.a -3i0i 3i0h.a -3i0r 3i0q.a -3i10 3i0z.a -3i19 3i18.a -3un9 clq
3i1h.a -3i1r 3i1q.a -3i20 3i1z.a -3i29 3i28.a -3i2i 3i2h.a -3i2r 3i2q.a -3i30 3i2z.a -3i39 3i38.a -3i3i 3i3h.a -3i3r
3i3q.a -3uq0 clz 3i3z.a -3i49 3i48.a -3i4i 3i4h.a -3i4r 3i4q.a -3i50 3i4z.a -3i59 3i58.a -3i5i 3i5h.a -3i5r 3i5q.a
-3i60 3i5z.a -3i69 3i68.a -3usr cm8 3i6h.a -3i6r 3i6q.a -3i70 3i6z.a -3i79 3i78.a -3i7i 3i7h.a -3i7r 3i7q.a -3i80
3i7z.a -3i89 3i88.a -3i8i 3i8h.a -3i8r 3i8q.a -3uvi cmh 3i8z.a -3i99 3i98.a -3i9i 3i9h.a -3i9r 3i9q.a -3ia0 3i9z.a
-3ia9 3ia8.a -3iai 3iah.a -3iar 3iaq.a -3ib0 3iaz.a -3ib9 3ib8.a -3uy9 cmq 3ibh.a -3ibr 3ibq.a -3ic0 3ibz.a -3ic9
3ic8.a -3ici 3ich.a -3icr 3icq.a -3id0 3icz.a -3id9 3id8.a -3idi 3idh.a -3idr 3idq.a -3wai 19h cmz 3idz.a -3ie9 3ie8.a
-3iei 3ieh.a -3ier 3ieq.a -3if0 3iez.a -3if9 3if8.a -3ifi 3ifh.a -3ifr 3ifq.a -3ig0 3ifz.a -3ig9 3ig8.a -3v3r cn8
3igh.a -3igr 3igq.a -3ih0 3igz.a -3ih9 3ih8.a -3ihi 3ihh.a -3ihr 3ihq.a -3ii0 3ihz.a -3ii9 3ii8.a -3iii 3iih.a -3iir
3iiq.a -3v6i cnh 3iiz.a -3ij9 3ij8.a -3iji 3ijh.a -3ijr 3ijq.a -3ik0 3ijz.a -3ik9 3ik8.a -3iki 3ikh.a -3ikr 3ikq.a
-3il0 3ikz.a -3il9 3il8.a -3v99 cnq 3ilh.a -3ilr 3ilq.a -3im0 3ilz.a -3im9 3im8.a -3imi 3imh.a -3imr 3imq.a -3in0
3imz.a -3in9 3in8.a -3ini 3inh.a -3inr 3inq.a -3vc0 cnz 3inz.a -3io9 3io8.a -3ioi 3ioh.a -3ior 3ioq.a -3ip0 3ioz.a
-3ip9 3ip8.a -3ipi 3iph.a -3ipr 3ipq.a -3iq0 3ipz.a -3iq9 3iq8.a -3ver co8 3iqh.a -3iqr 3iqq.a -3ir0 3iqz.a -3ir9
3ir8.a -3iri 3irh.a -3irr 3irq.a -3is0 3irz.a -3is9 3is8.a -3isi 3ish.a -3isr 3isq.a -3vhi coh 3isz.a -3it9 3it8.a
-3iti 3ith.a -3itr 3itq.a -3iu0 3itz.a -3iu9 3iu8.a -3iui 3iuh.a -3iur 3iuq.a -3iv0 3iuz.a -3iv9 3iv8.a -3vk9 coq
3ivh.a -3ivr 3ivq.a -3iw0 3ivz.a -3iw9 3iw8.a -3iwi 3iwh.a -3iwr 3iwq.a -3ix0 3iwz.a -3ix9 3ix8.a -3ixi 3ixh.a -3ixr
3ixq.a -3vn0 coz 3ixz.a -3iy9 3iy8.a -3iyi 3iyh.a -3iyr 3iyq.a -3iz0 3iyz.a -3iz9 3iz8.a -3izi 3izh.a -3izr 3izq.a
-3j00 3izz.a -3j09 3j08.a -3vpr cp8 3j0h.a -3j0r 3j0q.a -3j10 3j0z.a -3j19 3j18.a -3j1i 3j1h.a -3j1r 3j1q.a -3j20
3j1z.a -3j29 3j28.a -3j2i 3j2h.a -3j2r 3j2q.a -3x29 19q cph 3j2z.a -3j39 3j38.a -3j3i 3j3h.a -3j3r 3j3q.a -3j40 3j3z.a
-3j49 3j48.a -3j4i 3j4h.a -3j4r 3j4q.a -3j50 3j4z.a -3j59 3j58.a -3vv9 cpq 3j5h.a -3j5r 3j5q.a -3j60 3j5z.a -3j69
3j68.a -3j6i 3j6h.a -3j6r 3j6q.a -3j70 3j6z.a -3j79 3j78.a -3j7i 3j7h.a -3j7r 3j7q.a -3vy0 cpz 3j7z.a -3j89 3j88.a
-3j8i 3j8h.a -3j8r 3j8q.a -3j90 3j8z.a -3j99 3j98.a -3j9i 3j9h.a -3j9r 3j9q.a -3ja0 3j9z.a -3ja9 3ja8.a -3w0r cq8
3jah.a -3jar 3jaq.a -3jb0 3jaz.a -3jb9 3jb8.a -3jbi 3jbh.a -3jbr 3jbq.a -3jc0 3jbz.a -3jc9 3jc8.a -3jci 3jch.a -3jcr
3jcq.a -3w3i cqh 3jcz.a -3jd9 3jd8.a -3jdi 3jdh.a -3jdr 3jdq.a -3je0 3jdz.a -3je9 3je8.a -3jei 3jeh.a -3jer 3jeq.a
-3jf0 3jez.a -3jf9 3jf8.a -3w69 cqq 3jfh.a -3jfr 3jfq.a -3jg0 3jfz.a -3jg9 3jg8.a -3jgi 3jgh.a -3jgr 3jgq.a -3jh0
3jgz.a -3jh9 3jh8.a -3jhi 3jhh.a -3jhr 3jhq.a -3w90 cqz 3jhz.a -3ji9 3ji8.a -3jii 3jih.a -3jir 3jiq.a -3jj0 3jiz.a
-3jj9 3jj8.a -3jji 3jjh.a -3jjr 3jjq.a -3jk0 3jjz.a -3jk9 3jk8.a -3wbr cr8 3jkh.a -3jkr 3jkq.a -3jl0 3jkz.a -3jl9
3jl8.a -3jli 3jlh.a -3jlr 3jlq.a -3jm0 3jlz.a -3jm9 3jm8.a -3jmi 3jmh.a -3jmr 3jmq.a -3wei crh 3jmz.a -3jn9 3jn8.a
-3jni 3jnh.a -3jnr 3jnq.a -3jo0 3jnz.a -3jo9 3jo8.a -3joi 3joh.a -3jor 3joq.a -3jp0 3joz.a -3jp9 3jp8.a -3wh9 crq
3jph.a -3jpr 3jpq.a -3jq0 3jpz.a -3jq9 3jq8.a -3jqi 3jqh.a -3jqr 3jqq.a -3jr0 3jqz.a -3jr9.2 3jrl.6 -3jrr 3jrq.a -3xu0
19z crz 3jrz.a -3js9 3js8.a -3jsi 3jsh.a -3jsr 3jsq.a -3jt0 3jsz.a -3jt9 3jt8.a -3jti 3jth.a -3jtr 3jtq.a -3ju0 3jtz.a
-3ju9 3ju8.a -3wmr cs8 3juh.a -3jur 3juq.a -3jv0 3juz.a -3jv9 3jv8.a -3jvi 3jvh.a -3jvr 3jvq.a -3jw0 3jvz.a -3jw9
3jw8.a -3jwi 3jwh.a -3jwr 3jwq.a -3wpi csh 3jwz.a -3jx9 3jx8.a -3jxi 3jxh.a -3jxr 3jxq.a -3jy0 3jxz.a -3jy9 3jy8.a
-3jyi 3jyh.a -3jyr 3jyq.a -3jz0 3jyz.a -3jz9 3jz8.a -3ws9 csq 3jzh.a -3jzr 3jzq.a -3k00 3jzz.a -3k09 3k08.a -3k0i
3k0h.a -3k0r 3k0q.a -3k10 3k0z.a -3k19 3k18.a -3k1i 3k1h.a -3k1r 3k1q.a -3wv0 csz 3k1z.a -3k29 3k28.a -3k2i 3k2h.a
-3k2r 3k2q.a -3k30 3k2z.a -3k39 3k38.a -3k3i 3k3h.a -3k3r 3k3q.a -3k40 3k3z.a -3k49 3k48.a -3wxr ct8 3k4h.a -3k4r
3k4q.a -3k50 3k4z.a -3k59 3k58.a -3k5i 3k5h.a -3k5r 3k5q.a -3k60 3k5z.a -3k69 3k68.a -3k6i 3k6h.a -3k6r 3k6q.a -3x0i
cth 3k6z.a -3k79 3k78.a -3k7i 3k7h.a -3k7r 3k7q.a -3k80 3k7z.a -3k89 3k88.a -3k8i 3k8h.a -3k8r 3k8q.a -3k90 3k8z.a
-3k99 3k98.a -3x39 ctq 3k9h.a -3k9r 3k9q.a -3ka0 3k9z.a -3ka9 3ka8.a -3kai 3kah.a -3kar 3kaq.a -3kb0 3kaz.a -3kb9
3kb8.a -3kbi 3kbh.a -3kbr 3kbq.a -3x60 ctz 3kbz.a -3kc9 3kc8.a -3kci 3kch.a -3kcr 3kcq.a -3kd0 3kcz.a -3kd9 3kd8.a
-3kdi 3kdh.a -3kdr 3kdq.a -3ke0 3kdz.a -3ke9 3ke8.a -3x8r cu8 3keh.a -3ker 3keq.a -3kf0 3kez.a -3kf9 3kf8.a -3kfi
3kfh.a -3kfr 3kfq.a -3kg0 3kfz.a -3kg9 3kg8.a -3kgi 3kgh.a -3kgr 3kgq.a -3ylr 1a8 cuh 3kgz.a -3kh9 3kh8.a -3khi 3khh.a
-3khr 3khq.a -3ki0 3khz.a -3ki9 3ki8.a -3kii 3kih.a -3kir 3kiq.a -3kj0 3kiz.a -3kj9 3kj8.a -3xe9 cuq 3kjh.a -3kjr
3kjq.a -3kk0 3kjz.a -3kk9 3kk8.a -3kki 3kkh.a -3kkr 3kkq.a -3kl0 3kkz.a -3kl9 3kl8.a -3kli 3klh.a -3klr 3klq.a -3xh0
cuz 3klz.a -3km9 3km8.a -3kmi 3kmh.a -3kmr 3kmq.a -3kn0 3kmz.a -3kn9 3kn8.a -3kni 3knh.a -3knr 3knq.a -3ko0 3knz.a
-3ko9 3ko8.a -3xjr cv8 3koh.a -3kor 3koq.a -3kp0 3koz.a -3kp9 3kp8.a -3kpi 3kph.a -3kpr 3kpq.a -3kq0 3kpz.a -3kq9
3kq8.a -3kqi 3kqh.a -3kqr 3kqq.a -3xmi cvh 3kqz.a -3kr9 3kr8.a -3kri 3krh.a -3krr 3krq.a -3ks0 3krz.a -3ks9 3ks8.a
-3ksi 3ksh.a -3ksr 3ksq.a -3kt0 3ksz.a -3kt9 3kt8.a -3xp9 cvq 3kth.a -3ktr 3ktq.a -3ku0 3ktz.a -3ku9 3ku8.a -3kui
3kuh.a -3kur 3kuq.a -3kv0 3kuz.a -3kv9 3kv8.a -3kvi 3kvh.a -3kvr 3kvq.a -3xs0 cvz 3kvz.a -3kw9 3kw8.a -3kwi 3kwh.a
-3kwr 3kwq.a -3kx0 3kwz.a -3kx9 3kx8.a -3kxi 3kxh.a -3kxr 3kxq.a -3ky0 3kxz.a -3ky9 3ky8.a -3xur cw8 3kyh.a -3kyr
3kyq.a -3kz0 3kyz.a -3kz9 3kz8.a -3kzi 3kzh.a -3kzr 3kzq.a -3l00 3kzz.a -3l09 3l08.a -3l0i 3l0h.a -3l0r 3l0q.a -3xxi
cwh 3l0z.a -3l19 3l18.a -3l1i 3l1h.a -3l1r 3l1q.a -3l20 3l1z.a -3l29 3l28.a -3l2i 3l2h.a -3l2r 3l2q.a -3l30 3l2z.a
-3l39 3l38.a -3y09 cwq 3l3h.a -3l3r 3l3q.a -3l40 3l3z.a -3l49 3l48.a -3l4i 3l4h.a -3l4r 3l4q.a -3l50 3l4z.a -3l59
3l58.a -3l5i 3l5h.a -3l5r 3l5q.a -3zdi 1ah cwz 3l5z.a -3l69 3l68.a -3l6i 3l6h.a -3l6r 3l6q.a -3l70 3l6z.a -3l79 3l78.a
-3l7i 3l7h.a -3l7r 3l7q.a -3l80 3l7z.a -3l89 3l88.a -3y5r cx8 3l8h.a -3l8r 3l8q.a -3l90 3l8z.a -3l99 3l98.a -3l9i
3l9h.a -3l9r 3l9q.a -3la0 3l9z.a -3la9 3la8.a -3lai 3lah.a -3lar 3laq.a -3y8i cxh 3laz.a -3lb9 3lb8.a -3lbi 3lbh.a
-3lbr 3lbq.a -3lc0 3lbz.a -3lc9 3lc8.a -3lci 3lch.a -3lcr 3lcq.a -3ld0 3lcz.a -3ld9 3ld8.a -3yb9 cxq 3ldh.a -3ldr
3ldq.a -3le0 3ldz.a -3le9 3le8.a -3lei 3leh.a -3ler 3leq.a -3lf0 3lez.a -3lf9 3lf8.a -3lfi 3lfh.a -3lfr 3lfq.a -3ye0
cxz 3lfz.a -3lg9 3lg8.a -3lgi 3lgh.a -3lgr 3lgq.a -3lh0 3lgz.a -3lh9 3lh8.a -3lhi 3lhh.a -3lhr 3lhq.a -3li0 3lhz.a
-3li9 3li8.a -3ygr cy8 3lih.a -3lir 3liq.a -3lj0 3liz.a -3lj9 3lj8.a -3lji 3ljh.a -3ljr 3ljq.a -3lk0 3ljz.a -3lk9
3lk8.a -3lki 3lkh.a -3lkr 3lkq.a -3yji cyh 3lkz.a -3ll9 3ll8.a -3lli 3llh.a -3llr 3llq.a -3lm0 3llz.a -3lm9 3lm8.a
-3lmi 3lmh.a -3lmr 3lmq.a -3ln0 3lmz.a -3ln9 3ln8.a -3lni 3lnh.a -3lnr 3lnq.a -3lo0 3lnz.a -3lo9 3lo8.a -3loi 3loh.a
-3lor 3loq.a -3lp0 3loz.a -3lp9 3lp8.a -3lpi 3lph.a -3lpr 3lpq.a -3lq0 3lpz.a -3lq9 3lq8.a -3lqi 3lqh.a -3lqr 3lqq.a
-3lr0 3lqz.a -3lr9 3lr8.a -3lri 3lrh.a -3lrr 3lrq.a -3ls0 3lrz.a -3ls9 3ls8.a -3yrr cz8 3lsh.a -3lsr 3lsq.a -3lt0
3lsz.a -3lt9 3lt8.a -3lti 3lth.a -3ltr 3ltq.a -3lu0 3ltz.a -3lu9 3lu8.a -3lui 3luh.a -3lur 3luq.a -4059 1aq czh 3luz.a
-3lv9 3lv8.a -3lvi 3lvh.a -3lvr 3lvq.a -3lw0 3lvz.a -3lw9 3lw8.a -3lwi 3lwh.a -3lwr 3lwq.a -3lx0 3lwz.a -3lx9 3lx8.a
-3yx9 czq 3lxh.a -3lxr 3lxq.a -3ly0 3lxz.a -3ly9 3ly8.a -3lyi 3lyh.a -3lyr 3lyq.a -3lz0 3lyz.a -3lz9 3lz8.a -3lzi
3lzh.a -3lzr 3lzq.a -3z00 czz 3lzz.a -3m09 3m08.a -3m0i 3m0h.a -3m0r 3m0q.a -3m10 3m0z.a -3m19 3m18.a -3m1i 3m1h.a
-3m1r 3m1q.a -3m20 3m1z.a -3m29 3m28.a -3z2r d08 3m2h.a -3m2r 3m2q.a -3m30 3m2z.a -3m39 3m38.a -3m3i 3m3h.a -3m3r
3m3q.a -3m40 3m3z.a -3m49 3m48.a -3m4i 3m4h.a -3m4r 3m4q.a -3z5i d0h 3m4z.a -3m59 3m58.a -3m5i 3m5h.a -3m5r 3m5q.a
-3m60 3m5z.a -3m69 3m68.a -3m6i 3m6h.a -3m6r 3m6q.a -3m70 3m6z.a -3m79 3m78.a -3z89 d0q 3m7h.a -3m7r 3m7q.a -3m80
3m7z.a -3m89 3m88.a -3m8i 3m8h.a -3m8r 3m8q.a -3m90 3m8z.a -3m99 3m98.a -3m9i 3m9h.a -3m9r 3m9q.a -3zb0 d0z 3m9z.a
-3ma9 3ma8.a -3mai 3mah.a -3mar 3maq.a -3mb0 3maz.a -3mb9 3mb8.a -3mbi 3mbh.a -3mbr 3mbq.a -3mc0 3mbz.a -3mc9 3mc8.a
-3zdr d18 3mch.a -3mcr 3mcq.a -3md0 3mcz.a -3md9 3md8.a -3mdi 3mdh.a -3mdr 3mdq.a -3me0 3mdz.a -3me9 3me8.a -3mei
3meh.a -3mer 3meq.a -3zgi d1h 3mez.a -3mf9 3mf8.a -3mfi 3mfh.a -3mfr 3mfq.a -3mg0 3mfz.a -3mg9 3mg8.a -3mgi 3mgh.a
-3mgr 3mgq.a -3mh0 3mgz.a -3mh9 3mh8.a -3zj9 d1q 3mhh.a -3mhr 3mhq.a -3mi0 3mhz.a -3mi9 3mi8.a -3mii 3mih.a -3mir
3miq.a -3mj0 3miz.a -3mj9 3mj8.a -3mji 3mjh.a -3mjr 3mjq.a -40x0 1az d1z 3mjz.a -3mk9 3mk8.a -3mki 3mkh.a -3mkr 3mkq.a
-3ml0 3mkz.a -3ml9 3ml8.a -3mli 3mlh.a -3mlr 3mlq.a -3mm0 3mlz.a -3mm9 3mm8.a -3zor d28 3mmh.a -3mmr 3mmq.a -3mn0
3mmz.a -3mn9 3mn8.a -3mni 3mnh.a -3mnr 3mnq.a -3mo0 3mnz.a -3mo9 3mo8.a -3moi 3moh.a -3mor 3moq.a -3zri d2h 3moz.a
-3mp9 3mp8.a -3mpi 3mph.a -3mpr 3mpq.a -3mq0 3mpz.a -3mq9 3mq8.a -3mqi 3mqh.a -3mqr 3mqq.a -3mr0 3mqz.a -3mr9 3mr8.a
-3zu9 d2q 3mrh.a -3mrr 3mrq.a -3ms0 3mrz.a -3ms9 3ms8.a -3msi 3msh.a -3msr 3msq.a -3mt0 3msz.a -3mt9 3mt8.a -3mti
3mth.a -3mtr 3mtq.a -3zx0 d2z 3mtz.a -3mu9 3mu8.a -3mui 3muh.a -3mur 3muq.a -3mv0 3muz.a -3mv9 3mv8.a -3mvi 3mvh.a
-3mvr 3mvq.a -3mw0 3mvz.a -3mw9 3mw8.a -3zzr d38 3mwh.a -3mwr 3mwq.a -3mx0 3mwz.a -3mx9 3mx8.a -3mxi 3mxh.a -3mxr
3mxq.a -3my0 3mxz.a -3my9 3my8.a -3myi 3myh.a -3myr 3myq.a -402i d3h 3myz.a -3mz9 3mz8.a -3mzi 3mzh.a -3mzr 3mzq.a
-3n00 3mzz.a -3n09 3n08.a -3n0i 3n0h.a -3n0r 3n0q.a -3n10 3n0z.a -3n19 3n18.a -4059 d3q 3n1h.a -3n1r 3n1q.a -3n20
3n1z.a -3n29 3n28.a -3n2i 3n2h.a -3n2r 3n2q.a -3n30 3n2z.a -3n39 3n38.a -3n3i 3n3h.a -3n3r 3n3q.a -4080 d3z 3n3z.a
-3n49 3n48.a -3n4i 3n4h.a -3n4r 3n4q.a -3n50 3n4z.a -3n59 3n58.a -3n5i 3n5h.a -3n5r 3n5q.a -3n60 3n5z.a -3n69 3n68.a
-40ar d48 3n6h.a -3n6r 3n6q.a -3n70 3n6z.a -3n79 3n78.a -3n7i 3n7h.a -3n7r 3n7q.a -3n80 3n7z.a -3n89 3n88.a -3n8i
3n8h.a -3n8r 3n8q.a -41or 1b8 d4h 3n8z.a -3n99 3n98.a -3n9i 3n9h.a -3n9r 3n9q.a -3na0 3n9z.a -3na9 3na8.a -3nai 3nah.a
-3nar 3naq.a -3nb0 3naz.a -3nb9 3nb8.a -40g9 d4q 3nbh.a -3nbr 3nbq.a -3nc0 3nbz.a -3nc9 3nc8.a -3nci 3nch.a -3ncr
3ncq.a -3nd0 3ncz.a -3nd9 3nd8.a -3ndi 3ndh.a -3ndr 3ndq.a -40j0 d4z 3ndz.a -3ne9 3ne8.a -3nei 3neh.a -3ner 3neq.a
-3nf0 3nez.a -3nf9 3nf8.a -3nfi 3nfh.a -3nfr 3nfq.a -3ng0 3nfz.a -3ng9 3ng8.a -40lr d58 3ngh.a -3ngr 3ngq.a -3nh0
3ngz.a -3nh9 3nh8.a -3nhi 3nhh.a -3nhr 3nhq.a -3ni0 3nhz.a -3ni9 3ni8.a -3nii 3nih.a -3nir 3niq.a -40oi d5h 3niz.a
-3nj9 3nj8.a -3nji 3njh.a -3njr 3njq.a -3nk0 3njz.a -3nk9 3nk8.a -3nki 3nkh.a -3nkr 3nkq.a -3nl0 3nkz.a -3nl9 3nl8.a
-40r9 d5q 3nlh.a -3nlr 3nlq.a -3nm0 3nlz.a -3nm9 3nm8.a -3nmi 3nmh.a -3nmr 3nmq.a -3nn0 3nmz.a -3nn9 3nn8.a -3nni
3nnh.a -3nnr 3nnq.a -40u0 d5z 3nnz.a -3no9 3no8.a -3noi 3noh.a -3nor 3noq.a -3np0 3noz.a -3np9 3np8.a -3npi 3nph.a
-3npr 3npq.a -3nq0 3npz.a -3nq9 3nq8.a -40wr d68 3nqh.a -3nqr 3nqq.a -3nr0 3nqz.a -3nr9 3nr8.a -3nri 3nrh.a -3nrr
3nrq.a -3ns0 3nrz.a -3ns9 3ns8.a -3nsi 3nsh.a -3nsr 3nsq.a -40zi d6h 3nsz.a -3nt9 3nt8.a -3nti 3nth.a -3ntr 3ntq.a
-3nu0 3ntz.a -3nu9 3nu8.a -3nui 3nuh.a -3nur 3nuq.a -3nv0 3nuz.a -3nv9 3nv8.a -4129 d6q 3nvh.a -3nvr 3nvq.a -3nw0
3nvz.a -3nw9 3nw8.a -3nwi 3nwh.a -3nwr 3nwq.a -3nx0 3nwz.a -3nx9 3nx8.a -3nxi 3nxh.a -3nxr 3nxq.a -42gi 1bh d6z 3nxz.a
-3ny9 3ny8.a -3nyi 3nyh.a -3nyr 3nyq.a -3nz0 3nyz.a -3nz9 3nz8.a -3nzi 3nzh.a -3nzr 3nzq.a -3o00 3nzz.a -3o09 3o08.a
-417r d78 3o0h.a -3o0r 3o0q.a -3o10 3o0z.a -3o19 3o18.a -3o1i 3o1h.a -3o1r 3o1q.a -3o20 3o1z.a -3o29 3o28.a -3o2i
3o2h.a -3o2r 3o2q.a -41ai d7h 3o2z.a -3o39 3o38.a -3o3i 3o3h.a -3o3r 3o3q.a -3o40 3o3z.a -3o49 3o48.a -3o4i 3o4h.a
-3o4r 3o4q.a -3o50 3o4z.a -3o59 3o58.a -41d9 d7q 3o5h.a -3o5r 3o5q.a -3o60 3o5z.a -3o69 3o68.a -3o6i 3o6h.a -3o6r
3o6q.a -3o70 3o6z.a -3o79 3o78.a -3o7i 3o7h.a -3o7r 3o7q.a -41g0 d7z 3o7z.a -3o89 3o88.a -3o8i 3o8h.a -3o8r 3o8q.a
-3o90 3o8z.a -3o99 3o98.a -3o9i 3o9h.a -3o9r 3o9q.a -3oa0 3o9z.a -3oa9 3oa8.a -41ir d88 3oah.a -3oar 3oaq.a -3ob0
3oaz.a -3ob9 3ob8.a -3obi 3obh.a -3obr 3obq.a -3oc0 3obz.a -3oc9 3oc8.a -3oci 3och.a -3ocr 3ocq.a -41li d8h 3ocz.a
-3od9 3od8.a -3odi 3odh.a -3odr 3odq.a -3oe0 3odz.a -3oe9 3oe8.a -3oei 3oeh.a -3oer 3oeq.a -3of0 3oez.a -3of9 3of8.a
-41o9 d8q 3ofh.a -3ofr 3ofq.a -3og0 3ofz.a -3og9 3og8.a -3ogi 3ogh.a -3ogr 3ogq.a -3oh0 3ogz.a -3oh9 3oh8.a -3ohi
3ohh.a -3ohr 3ohq.a -41r0 d8z 3ohz.a -3oi9 3oi8.a -3oii 3oih.a -3oir 3oiq.a -3oj0 3oiz.a -3oj9 3oj8.a -3oji 3ojh.a
-3ojr 3ojq.a -3ok0 3ojz.a -3ok9 3ok8.a -41tr d98 3okh.a -3okr 3okq.a -3ol0 3okz.a -3ol9 3ol8.a -3oli 3olh.a -3olr
3olq.a -3om0 3olz.a -3om9 3om8.a -3omi 3omh.a -3omr 3omq.a -4389 1bq d9h 3omz.a -3on9 3on8.a -3oni 3onh.a -3onr 3onq.a
-3oo0 3onz.a -3oo9 3oo8.a -3ooi 3ooh.a -3oor 3ooq.a -3op0 3ooz.a -3op9 3op8.a -41z9 d9q 3oph.a -3opr 3opq.a -3oq0
3opz.a -3oq9 3oq8.a -3oqi 3oqh.a -3oqr 3oqq.a -3or0 3oqz.a -3or9 3or8.a -3ori 3orh.a -3orr 3orq.a -4220 d9z 3orz.a
-3os9 3os8.a -3osi 3osh.a -3osr 3osq.a -3ot0 3osz.a -3ot9 3ot8.a -3oti 3oth.a -3otr 3otq.a -3ou0 3otz.a -3ou9 3ou8.a
-424r da8 3ouh.a -3our 3ouq.a -3ov0 3ouz.a -3ov9 3ov8.a -3ovi 3ovh.a -3ovr 3ovq.a -3ow0 3ovz.a -3ow9 3ow8.a -3owi
3owh.a -3owr 3owq.a -427i dah 3owz.a -3ox9 3ox8.a -3oxi 3oxh.a -3oxr 3oxq.a -3oy0 3oxz.a -3oy9 3oy8.7 -3oyf.4 -dar
daq.a -db0 daz.a -db9 db8.a -dbi dbh.a -dbr dbq.a -eo0 1bz dbz.a -dc9 dc8.a -dci dch.a -dcr dcq.a -dd0 dcz.a -dd9
dd8.a -ddi ddh.a -ddr ddq.a -de0 ddz.a -de9 de8.a -eqr 1c8 deh.a -der deq.a -df0 dez.a -df9 df8.a -dfi dfh.a -dfr
dfq.a -dg0 dfz.a -dg9 dg8.a -dgi dgh.a -dgr dgq.a -eti 1ch dgz.a -dh9 dh8.a -dhi dhh.a -dhr dhq.a -di0 dhz.a -di9
di8.7 3r3z.a -3r49 3r48.a -3r4i 3r4h.a -3r4r 3r4q.a -44ni dih 3r4z.a -3r59 3r58.a -3r5i 3r5h.a -3r5r 3r5q.a -3r60
3r5z.a -3r69 3r68.a -3r6i 3r6h.a -3r6r 3r6q.a -3r70 3r6z.a -3r79 3r78.a -44q9 diq 3r7h.a -3r7r 3r7q.a -3r80 3r7z.a
-3r89 3r88.a -3r8i 3r8h.a -3r8r 3r8q.a -3r90 3r8z.a -3r99 3r98.a -3r9i 3r9h.a -3r9r 3r9q.a -44t0 diz 3r9z.a -3ra9
3ra8.a -3rai 3rah.a -3rar 3raq.a -3rb0 3raz.a -3rb9 3rb8.a -3rbi 3rbh.a -3rbr 3rbq.a -3rc0 3rbz.a -3rc9 3rc8.a -44vr
dj8 3rch.a -3rcr 3rcq.a -3rd0 3rcz.a -3rd9 3rd8.a -3rdi 3rdh.a -3rdr 3rdq.a -3re0 3rdz.a -3re9 3re8.a -3rei 3reh.a
-3rer 3req.a -46b9 1cq djh 3rez.a -3rf9 3rf8.a -3rfi 3rfh.a -3rfr 3rfq.a -3rg0 3rfz.a -3rg9 3rg8.a -3rgi 3rgh.a -3rgr
3rgq.a -3rh0 3rgz.a -3rh9 3rh8.a -4519 djq 3rhh.2 -3rhj.9 -dk0 djz.a -dk9 dk8.a -dki dkh.a -dkr dkq.a -dl0 dkz.a -dl9
dl8.a -dli dlh.a -dlr dlq.a -ez0 1cz dlz.a -dm9 dm8.a -dmi dmh.a -dmr dmq.a -dn0 dmz.a -dn9 dn8.a -dni dnh 3sj7.2
-3sj9 3sj8.a -3sji 3sjh.a -3sjr 3sjq.a -3sk0 3sjz.a -3sk9 3sk8.a -3ski 3skh.a -3skr 3skq.a -3sl0 3skz.a -3sl9 3sl8.a
-4699 dnq 3slh.a -3slr 3slq.a -3sm0 3slz.a -3sm9 3sm8.a -3smi 3smh.a -3smr 3smq.a -3sn0 3smz.a -3sn9 3sn8.a -3sni
3snh.a -3snr 3snq.a -46c0 dnz 3snz.a -3so9 3so8.a -3soi 3soh.a -3sor 3soq.a -3sp0 3soz.a -3sp9 3sp8.a -3spi 3sph.a
-3spr 3spq.a -3sq0 3spz.a -3sq9 3sq8.a -46er do8 3sqh.a -3sqr 3sqq.a -3sr0 3sqz.a -3sr9 3sr8.a -3sri 3srh.a -3srr
3srq.a -3ss0 3srz.a -3ss9 3ss8.a -3ssi 3ssh.a -3ssr 3ssq.a -47ur f1q 3ssz.a -3st9 3st8.a -3sti 3sth.a -3str 3stq.a
-3su0 3stz.a -3su9 3su8.a -3sui 3suh.a -3sur 3suq.a -3sv0 3suz.a -3sv9 3sv8.a -3svi 3svh.a -3svr 3svq.a -3sw0 3svz.a
-3sw9 3sw8.a -3swi 3swh.a -3swr 3swq.a -3sx0 3swz.a -3sx9 3sx8.a -3sxi 3sxh.a -3sxr 3sxq.a -3sy0 3sxz.a -3sy9 3sy8.a
-3syi 3syh.a -3syr 3syq.a -3sz0 3syz.a -3sz9 3sz8.a -3szi 3szh.a -3szr 3szq.a -3t00 3szz.a -3t09 3t08.a -3t0i 3t0h.a
-3t0r 3t0q.a -3t10 3t0z.a -3t19 3t18.a -3t1i 3t1h.a -3t1r 3t1q.a -3t20 3t1z.a -3t29 3t28.a -3t2i 3t2h.a -3t2r 3t2q.a
-3t30 3t2z.a -3t39 3t38.a -3t3i 3t3h.a -3t3r 3t3q.a -3t40 3t3z.a -3t49 3t48.a -3t4i 3t4h.a -3t4r 3t4q.a -3t50 3t4z.a
-3t59 3t58.a -3t5i 3t5h.a -3t5r 3t5q.a -3t60 3t5z.a -3t69 3t68.a -3t6i 3t6h.a -3t6r 3t6q.a -3t70 3t6z.a -3t79 3t78.a
-3t7i 3t7h.a -3t7r 3t7q.a -3t80 3t7z.a -3t89 3t88.a -3t8i 3t8h.a -3t8r 3t8q.a -3t90 3t8z.a -3t99 3t98.a -3t9i 3t9h.a
-3t9r 3t9q.a -3ta0 3t9z.a -3ta9 3ta8.a -3tai 3tah.a -3tar 3taq.a -3tb0 3taz.a -3tb9 3tb8.a -3tbi 3tbh.a -3tbr 3tbq.a
-3tc0 3tbz.a -3tc9 3tc8.a -3tci 3tch.a -3tcr 3tcq.a -3td0 3tcz.a -3td9 3td8.a -3tdi 3tdh.a -3tdr 3tdq.a -3te0 3tdz.a
-3te9 3te8.a -3tei 3teh.a -3ter 3teq.a -3tf0 3tez.a -3tf9 3tf8.a -3tfi 3tfh.a -3tfr 3tfq.a -3tg0 3tfz.a -3tg9 3tg8.a
-3tgi 3tgh.a -3tgr 3tgq.a -3th0 3tgz.a -3th9 3th8.a -3thi 3thh.a -3thr 3thq.a -48mi f4h 3thz.a -3ti9 3ti8.a -3tii
3tih.a -3tir 3tiq.a -3tj0 3tiz.a -3tj9 3tj8.a -3tji 3tjh.a -3tjr 3tjq.a -3tk0 3tjz.a -3tk9 3tk8.a -3tki 3tkh.a -3tkr
3tkq.a -3tl0 3tkz.a -3tl9 3tl8.a -3tli 3tlh.a -3tlr 3tlq.a -3tm0 3tlz.a -3tm9 3tm8.a -3tmi 3tmh.a -3tmr 3tmq.a -3tn0
3tmz.a -3tn9 3tn8.a -3tni 3tnh.a -3tnr 3tnq.a -3to0 3tnz.a -3to9 3to8.a -3toi 3toh.a -3tor 3toq.a -3tp0 3toz.a -3tp9
3tp8.a -3tpi 3tph.a -3tpr 3tpq.a -3tq0 3tpz.a -3tq9 3tq8.a -3tqi 3tqh.a -3tqr 3tqq.a -3tr0 3tqz.a -3tr9 3tr8.a -3tri
3trh.a -3trr 3trq.a -47k0 drz 3trz.a -3ts9 3ts8.a -3tsi 3tsh.a -3tsr 3tsq.a -3tt0 3tsz.a -3tt9 3tt8.a -3tti 3tth.a
-3ttr 3ttq.a -3tu0 3ttz.a -3tu9 3tu8.a -47mr ds8 3tuh.a -3tur 3tuq.a -3tv0 3tuz.a -3tv9 3tv8.a -3tvi 3tvh.a -3tvr
3tvq.a -3tw0 3tvz.a -3tw9 3tw8.a -3twi 3twh.a -3twr 3twq.a -47pi dsh 3twz.a -3tx9 3tx8.a -3txi 3txh.a -3txr 3txq.a
-3ty0 3txz.a -3ty9 3ty8.a -3tyi 3tyh.a -3tyr 3tyq.a -3tz0 3tyz.a -3tz9 3tz8.a -47s9 dsq 3tzh.a -3tzr 3tzq.a -3u00
3tzz.a -3u09 3u08.a -3u0i 3u0h.a -3u0r 3u0q.a -3u10 3u0z.a -3u19 3u18.a -3u1i 3u1h.a -3u1r 3u1q.a -47v0 dsz 3u1z.a
-3u29 3u28.a -3u2i 3u2h.a -3u2r 3u2q.a -3u30 3u2z.a -3u39 3u38.a -3u3i 3u3h.a -3u3r 3u3q.a -3u40 3u3z.a -3u49 3u48.a
-47xr dt8 3u4h.a -3u4r 3u4q.a -3u50 3u4z.a -3u59 3u58.a -3u5i 3u5h.a -3u5r 3u5q.a -3u60 3u5z.a -3u69 3u68.a -3u6i
3u6h.a -3u6r 3u6q.a -49e9 1dq dth 3u6z.a -3u79 3u78.a -3u7i 3u7h.a -3u7r 3u7q.a -3u80 3u7z.a -3u89 3u88.a -3u8i 3u8h.a
-3u8r 3u8q.a -3u90 3u8z.a -3u99 3u98.a -4839 dtq 3u9h.a -3u9r 3u9q.a -3ua0 3u9z.a -3ua9 3ua8.a -3uai 3uah.a -3uar
3uaq.a -3ub0 3uaz.a -3ub9 3ub8.a -3ubi 3ubh.a -3ubr 3ubq.a -4860 dtz 3ubz.a -3uc9 3uc8.a -3uci 3uch.a -3ucr 3ucq.a
-3ud0 3ucz.a -3ud9 3ud8.a -3udi 3udh.a -3udr 3udq.a -3ue0 3udz.a -3ue9 3ue8.a -488r du8 3ueh.a -3uer 3ueq.a -3uf0
3uez.a -3uf9 3uf8.a -3ufi 3ufh.a -3ufr 3ufq.a -3ug0 3ufz.a -3ug9 3ug8.a -3ugi 3ugh.a -3ugr 3ugq.a -48bi duh 3ugz.a
-3uh9 3uh8.a -3uhi 3uhh.a -3uhr 3uhq.a -3ui0 3uhz.a -3ui9 3ui8.a -3uii 3uih.a -3uir 3uiq.a -3uj0 3uiz.a -3uj9 3uj8.a
-48e9 duq 3ujh.a -3ujr 3ujq.a -3uk0 3ujz.a -3uk9 3uk8.a -3uki 3ukh.a -3ukr 3ukq.a -3ul0 3ukz.a -3ul9 3ul8.a -3uli
3ulh.a -3ulr 3ulq.a -48h0 duz 3ulz.a -3um9 3um8.a -3umi 3umh.a -3umr 3umq.a -3un0 3umz.a -3un9 3un8.a -3uni 3unh.a
-3unr 3unq.a -3uo0 3unz.a -3uo9 3uo8.a -48jr dv8 3uoh.a -3uor 3uoq.a -3up0 3uoz.a -3up9 3up8.a -3upi 3uph.a -3upr
3upq.a -3uq0 3upz.a -3uq9 3uq8.a -3uqi 3uqh.a -3uqr 3uqq.a -48mi dvh 3uqz.a -3ur9 3ur8.a -3uri 3urh.a -3urr 3urq.a
-3us0 3urz.a -3us9 3us8.a -3usi 3ush.a -3usr 3usq.a -3ut0 3usz.a -3ut9 3ut8.a -48p9 dvq 3uth.a -3utr 3utq.a -3uu0
3utz.a -3uu9 3uu8.a -3uui 3uuh.a -3uur 3uuq.a -3uv0 3uuz.a -3uv9 3uv8.a -3uvi 3uvh.a -3uvr 3uvq.a -4a60 1dz dvz 3uvz.a
-3uw9 3uw8.a -3uwi 3uwh.a -3uwr 3uwq.a -3ux0 3uwz.a -3ux9 3ux8.a -3uxi 3uxh.a -3uxr 3uxq.a -3uy0 3uxz.a -3uy9 3uy8.a
-48ur dw8 3uyh.a -3uyr 3uyq.a -3uz0 3uyz.a -3uz9 3uz8.a -3uzi 3uzh.a -3uzr 3uzq.a -3v00 3uzz.a -3v09 3v08.a -3v0i
3v0h.a -3v0r 3v0q.a -48xi dwh 3v0z.a -3v19 3v18.a -3v1i 3v1h.a -3v1r 3v1q.a -3v20 3v1z.a -3v29 3v28.a -3v2i 3v2h.a
-3v2r 3v2q.a -3v30 3v2z.a -3v39 3v38.a -4909 dwq 3v3h.a -3v3r 3v3q.a -3v40 3v3z.a -3v49 3v48.a -3v4i 3v4h.a -3v4r
3v4q.a -3v50 3v4z.a -3v59 3v58.a -3v5i 3v5h.a -3v5r 3v5q.a -4930 dwz 3v5z.a -3v69 3v68.a -3v6i 3v6h.a -3v6r 3v6q.a
-3v70 3v6z.a -3v79 3v78.a -3v7i 3v7h.a -3v7r 3v7q.a -3v80 3v7z.a -3v89 3v88.a -495r dx8 3v8h.a -3v8r 3v8q.a -3v90
3v8z.a -3v99 3v98.a -3v9i 3v9h.a -3v9r 3v9q.a -3va0 3v9z.a -3va9 3va8.a -3vai 3vah.a -3var 3vaq.a -498i dxh 3vaz.a
-3vb9 3vb8.a -3vbi 3vbh.a -3vbr 3vbq.a -3vc0 3vbz.a -3vc9 3vc8.a -3vci 3vch.a -3vcr 3vcq.a -3vd0 3vcz.a -3vd9 3vd8.a
-49b9 dxq 3vdh.a -3vdr 3vdq.a -3ve0 3vdz.a -3ve9 3ve8.a -3vei 3veh.a -3ver 3veq.a -3vf0 3vez.a -3vf9 3vf8.a -3vfi
3vfh.a -3vfr 3vfq.a -49e0 dxz 3vfz.a -3vg9 3vg8.a -3vgi 3vgh.a -3vgr 3vgq.a -3vh0 3vgz.a -3vh9 3vh8.a -3vhi 3vhh.a
-3vhr 3vhq.a -3vi0 3vhz.a -3vi9 3vi8.a -49gr dy8 3vih.a -3vir 3viq.a -3vj0 3viz.a -3vj9 3vj8.a -3vji 3vjh.a -3vjr
3vjq.a -3vk0 3vjz.a -3vk9 3vk8.a -3vki 3vkh.a -3vkr 3vkq.a -4axr 1e8 dyh 3vkz.a -3vl9 3vl8.a -3vli 3vlh.a -3vlr 3vlq.a
-3vm0 3vlz.a -3vm9 3vm8.a -3vmi 3vmh.a -3vmr 3vmq.a -3vn0 3vmz.a -3vn9 3vn8.a -49m9 dyq 3vnh.a -3vnr 3vnq.a -3vo0
3vnz.a -3vo9 3vo8.a -3voi 3voh.a -3vor 3voq.a -3vp0 3voz.a -3vp9 3vp8.a -3vpi 3vph.a -3vpr 3vpq.a -49p0 dyz 3vpz.a
-3vq9 3vq8.a -3vqi 3vqh.a -3vqr 3vqq.a -3vr0 3vqz.a -3vr9 3vr8.a -3vri 3vrh.a -3vrr 3vrq.a -3vs0 3vrz.a -3vs9 3vs8.a
-49rr dz8 3vsh.a -3vsr 3vsq.a -3vt0 3vsz.a -3vt9 3vt8.a -3vti 3vth.a -3vtr 3vtq.a -3vu0 3vtz.a -3vu9 3vu8.a -3vui
3vuh.a -3vur 3vuq.a -49ui dzh 3vuz.a -3vv9 3vv8.a -3vvi 3vvh.a -3vvr 3vvq.a -3vw0 3vvz.a -3vw9 3vw8.a -3vwi 3vwh.a
-3vwr 3vwq.a -3vx0 3vwz.a -3vx9 3vx8.a -49x9 dzq 3vxh.a -3vxr 3vxq.a -3vy0 3vxz.a -3vy9 3vy8.a -3vyi 3vyh.7 -3vyo.5
-e00 dzz.a -e09 e08.a -e0i e0h.a -e0r e0q.a -ffi 1eh e0z.a -e19 e18.a -e1i e1h.a -e1r e1q.a -e20 e1z.a -e29 e28.a -e2i
e2h.a -e2r e2q.a -e30 e2z.a -e39 e38.a -fi9 1eq e3h.a -e3r e3q.a -e40 e3z.a -e49 e48.a -e4i e4h.a -e4r e4q.a -e50
e4z.a -e59 e58.a -e5i e5h.a -e5r e5q.a -fl0 1ez e5z.a -e69 e68.a -e6i e6h.u -e79 e78.a -e7i e7h.a -e7r e7q.a -e80
e7z.a -e89 e88.a -fnr 1f8 e8h.a -e8r e8q.a -e90 e8z.a -e99 e98.a -e9i e9h.a -e9r e9q.a -ea0 e9z.a -ea9 ea8.a -eai
eah.a -ear eaq.a -fqi 1fh eaz.a -eb9 eb8.a -ebi ebh.a -ebr ebq.a -ec0 ebz.a -ec9 ec8.a -eci ech.a -ecr ecq.a -ed0
ecz.a -ed9 ed8.a -ft9 1fq edh.a -edr edq.a -ee0 edz.a -ee9 ee8.a -eei eeh.a -eer eeq.a -ef0 eez.a -ef9 ef8.a -efi
efh.a -efr efq.a -fw0 1fz efz.a -eg9 eg8.a -egi egh.a -egr egq.a -eh0 egz.a -eh9 eh8.a -ehi ehh.a -ehr ehq.a -ei0
ehz.a -ei9 ei8.a -fyr 1g8 eih.a -eir eiq.a -ej0 eiz.a -ej9 ej8.u -ek0 ejz.a -ek9 ek8.a -eki ekh.a -ekr ekq.a -g1i 1gh
ekz.a -el9 el8.a -eli elh.a -elr elq.a -em0 elz.a -em9 em8.a -emi emh.a -emr emq.a -en0 emz.a -en9 en8.a -g49 1gq
enh.k -eo0 enz.a -eo9 eo8.a -eoi eoh.a -eor eoq.a -ep0 eoz.a -ep9 ep8.a -epi eph.a -epr epq.a -g70 1gz epz.a -eq9
eq8.a -eqi eqh.a -eqr eqq.a -er0 eqz.a -er9 er8.a -eri erh.a -err erq.a -es0 erz.a -es9 es8.a -g9r 1h8 esh.a -esr
esq.a -et0 esz.a -et9 et8.a -eti eth.a -etr etq.a -eu0 etz.a -eu9 eu8.a -eui euh.a -eur euq.a -gci gch.k -evi evh.k
-ew0 evz.a -ew9 ew8.a -ewi ewh.a -ewr ewq.a -ex0 ewz.a -ex9 ex8.a -gf9 1hq exh.a -exr exq.a -ey0 exz.a -ey9 ey8.a -eyi
eyh.1o -gi0 1hz ezz.a -f09 f08.a -f0i f0h.a -f0r f0q.a -f10 f0z.a -f19 f18.a -f1i f1h.a -f1r f1q.a -f20 f1z.a -f29
f28.a -gkr 1i8 f2h.a -f2r f2q.a -f30 f2z.a -f39 f38.a -f3i f3h.a -f3r f3q.a -f40 f3z.a -f49 f48.a -f4i f4h.a -f4r
f4q.a -gni 1ih f4z.a -f59 f58.a -f5i f5h.a -f5r f5q.a -f60 f5z.a -f69 f68.a -f6i f6h.a -f6r f6q.a -f70 f6z.a -f79
f78.a -gq9 1iq f7h.k -f80 f7z.a -f89 f88.1y -gt0 1iz f9z.a -fa9 fa8.a -fai fah.a -far faq.a -fb0 faz.a -fb9 fb8.a -fbi
fbh.a -fbr fbq.a -fc0 fbz.a -fc9 fc8.a -gvr 1j8 fch.a -fcr fcq.a -fd0 fcz.a -fd9 fd8.a -fdi fdh.a -fdr fdq.a -fe0
fdz.a -fe9 fe8.a -fei feh.a -fer feq.a -gyi 1jh fez.a -ff9 ff8.a -ffi ffh.a -ffr ffq.a -fg0 ffz.a -fg9 fg8.a -fgi
fgh.a -fgr fgq.a -fh0 fgz.a -fh9 fh8.a -h19 1jq fhh.a -fhr fhq.a -fi0 fhz.a -fi9 fi8.a -fii fih.a -fir fiq.a -fj0
fiz.a -fj9 fj8.a -fji fjh.a -fjr fjq.a -h40 1jz fjz.a -fk9 fk8.a -fki fkh.a -fkr fkq.a -fl0 fkz.a -fl9 fl8.a -fli
flh.a -flr flq.a -fm0 flz.a -fm9 fm8.a -h6r 1k8 fmh.a -fmr fmq.a -fn0 fmz.a -fn9 fn8.a -fni fnh.a -fnr fnq.a -fo0
fnz.a -fo9 fo8.a -foi foh.a -for foq.a -h9i 1kh foz.a -fp9 fp8.a -fpi fph.a -fpr fpq.a -fq0 fpz.a -fq9 fq8.a -fqi
fqh.a -fqr fqq.a -fr0 fqz.a -fr9 fr8.a -hc9 1kq frh.a -frr frq.a -fs0 frz.a -fs9 fs8.a -fsi fsh.a -fsr fsq.a -ft0
fsz.a -ft9 ft8.a -fti fth.a -ftr ftq.a -hf0 1kz ftz.a -fu9 fu8.a -fui fuh.a -fur fuq.a -fv0 fuz.a -fv9 fv8.a -fvi
fvh.a -fvr fvq.a -fw0 fvz.a -fw9 fw8.a -hhr 1l8 fwh.a -fwr fwq.a -fx0 fwz.a -fx9 fx8.a -fxi fxh.a -fxr fxq.a -fy0
fxz.a -fy9 fy8.a -fyi fyh.a -fyr fyq.a -hki 1lh fyz.a -fz9 fz8.a -fzi fzh.a -fzr fzq.a -g00 fzz.a -g09 g08.a -g0i
g0h.a -g0r g0q.a -g10 g0z.a -g19 g18.a -hn9 1lq g1h.a -g1r g1q.a -g20 g1z.a -g29 g28.a -g2i g2h.a -g2r g2q.a -g30
g2z.a -g39 g38.a -g3i g3h.a -g3r g3q.a -hq0 1lz g3z.a -g49 g48.a -g4i g4h.a -g4r g4q.a -g50 g4z.a -g59 g58.a -g5i
g5h.a -g5r g5q.a -g60 g5z.a -g69 g68.a -hsr 1m8 g6h.a -g6r g6q.a -g70 g6z.a -g79 g78.a -g7i g7h.a -g7r g7q.a -g80
g7z.a -g89 g88.a -g8i g8h.a -g8r g8q.a -hvi 1mh g8z.a -g99 g98.a -g9i g9h.a -g9r g9q.a -ga0 g9z.a -ga9 ga8.a -gai
gah.a -gar gaq.a -gb0 gaz.a -gb9 gb8.a -hy9 1mq gbh.a -gbr gbq.a -gc0 gbz.a -gc9 gc8.a -gci gch.a -gcr gcq.a -gd0
gcz.a -gd9 gd8.a -gdi gdh.a -gdr gdq.a -i10 1mz gdz.a -ge9 ge8.a -gei geh.a -ger geq.a -gf0 gez.a -gf9 gf8.a -gfi
gfh.a -gfr gfq.a -gg0 gfz.a -gg9 gg8.a -i3r 1n8 ggh.a -ggr ggq.a -gh0 ggz.a -gh9 gh8.a -ghi ghh.a -ghr ghq.a -gi0
ghz.a -gi9 gi8.a -gii gih.a -gir giq.a -i6i 1nh giz.a -gj9 gj8.a -gji gjh.a -gjr gjq.a -gk0 gjz.a -gk9 gk8.a -gki
gkh.a -gkr gkq.a -gl0 gkz.a -gl9 gl8.a -i99 1nq glh.a -glr glq.a -gm0 glz.a -gm9 gm8.a -gmi gmh.a -gmr gmq.a -gn0
gmz.a -gn9 gn8.a -gni gnh.a -gnr gnq.a -ic0 1nz gnz.a -go9 go8.a -goi goh.a -gor goq.a -gp0 goz.a -gp9 gp8.a -gpi
gph.a -gpr gpq.a -gq0 gpz.a -gq9 gq8.a -ier 1o8 gqh.a -gqr gqq.a -gr0 gqz.a -gr9 gr8.a -gri grh.a -grr grq.a -gs0
grz.a -gs9 gs8.a -gsi gsh.a -gsr gsq.a -ihi 1oh gsz.a -gt9 gt8.a -gti gth.a -gtr gtq.a -gu0 gtz.a -gu9 gu8.a -gui
guh.a -gur guq.a -gv0 guz.a -gv9 gv8.a -ik9 1oq gvh.a -gvr gvq.a -gw0 gvz.a -gw9 gw8.a -gwi gwh.a -gwr gwq.k -gx9
gx8.a -gxi gxh.a -gxr gxq.a -in0 1oz gxz.a -gy9 gy8.a -gyi gyh.a -gyr gyq.a -gz0 gyz.u -gzr gzq.a -h00 gzz.k -ipr
ipq.a -h0r h0q.a -h10 h0z.a -h19 h18.a -h1i h1h.a -h1r h1q.a -h20 h1z.a -h29 h28.a -h2i h2h.a -h2r h2q.a -isi 1ph
h2z.a -h39 h38.a -h3i h3h.a -h3r h3q.a -h40 h3z.a -h49 h48.a -h4i h4h.a -h4r h4q.a -h50 h4z.a -h59 h58.a -iv9 1pq
h5h.a -h5r h5q.a -h60 h5z.k -h6i h6h.a -h6r h6q.a -h70 h6z.a -h79 h78.a -h7i h7h.a -h7r h7q.a -iy0 1pz h7z.k -h8i
h8h.14 -h9i h9h.a -h9r h9q.a -ha0 h9z.a -ha9 ha8.a -j0r j0q.k -hb0 haz.a -hb9 hb8.a -hbi hbh.a -hbr hbq.a -hc0 hbz.a
-hc9 hc8.a -hci hch.a -hcr hcq.a -j3i 1qh hcz.u -hdr hdq.a -he0 hdz.u -her heq.a -hf0 hez.a -hf9 hf8.a -j69 1qq hfh.2i
-hhr hhq.a -j90 j8z.14 -hj0 hiz.a -hj9 hj8.k -hjr hjq.a -hk0 hjz.a -hk9 hk8.a -jbr 1r8 hkh.a -hkr hkq.u -hli hlh.a
-hlr hlq.a -hm0 hlz.a -hm9 hm8.a -hmi hmh.a -hmr hmq.a -jei 1rh hmz.a -hn9 hn8.a -hni hnh.a -hnr hnq.a -ho0 hnz.a -ho9
ho8.a -hoi hoh.a -hor hoq.a -hp0 hoz.a -hp9 hp8.a -jh9 1rq hph.a -hpr hpq.a -hq0 hpz.a -hq9 hq8.a -hqi hqh.a -hqr
hqq.a -hr0 hqz.a -hr9 hr8.a -hri hrh.k -jk0 jjz.a -hs9 hs8.a -hsi hsh.a -hsr hsq.k -ht9 ht8.a -hti hth.a -htr htq.a
-hu0 htz.a -hu9 hu8.a -jmr 1s8 huh.1e -hvr hvq.a -hw0 hvz.u -hwr hwq.a -jpi 1sh hwz.a -hx9 hx8.a -hxi hxh.a -hxr hxq.a
-hy0 hxz.a -hy9 hy8.a -hyi hyh.a -hyr hyq.a -hz0 hyz.a -hz9 hz8.a -js9 1sq hzh.a -hzr hzq.a -i00 hzz.a -i09 i08.a -i0i
i0h.a -i0r i0q.a -i10 i0z.a -i19 i18.a -i1i i1h.a -i1r i1q.a -jv0 1sz i1z.k -i2i i2h.a -i2r i2q.a -i30 i2z.a -i39
i38.a -i3i i3h.a -i3r i3q.a -i40 i3z.k -jxr 1t8 i4h.a -i4r i4q.k -i59 i58.a -i5i i5h.k -i60 i5z.a -i69 i68.u -k0i 1th
i6z.k -i7i i7h.a -i7r i7q.a -i80 i7z.a -i89 i88.a -i8i i8h.14 -k39 k38.a -i9r i9q.a -ia0 i9z.u -iar iaq.a -ib0 iaz.a
-ib9 ib8.u -k60 k5z.a -ic9 ic8.28 -ie9 ie8.a -k8r 1u8 ieh.a -ier ieq.a -if0 iez.k -ifi ifh.1o -kbi kbh.k -ihi ihh.a
-ihr ihq.a -ii0 ihz.a -ii9 ii8.a -iii iih.a -iir iiq.a -ij0 iiz.a -ij9 ij8.a -ke9 1uq ijh.a -ijr ijq.a -ik0 ijz.a -ik9
ik8.a -iki ikh.a -ikr ikq.a -il0 ikz.a -il9 il8.a -ili ilh.k -kh0 kgz.2i -io9 io8.a -kjr 1v8 ioh.a -ior ioq.k -ip9
ip8.a -ipi iph.a -ipr ipq.a -iq0 ipz.a -iq9 iq8.a -iqi iqh.a -iqr iqq.a -kmi 1vh iqz.a -ir9 ir8.k -irr irq.a -is0
irz.a -is9 is8.k -isr isq.a -it0 isz.a -it9 it8.a -kp9 1vq ith.a -itr itq.a -iu0 itz.a -iu9 iu8.a -iui iuh.a -iur
iuq.a -iv0 iuz.a -iv9 iv8.a -ivi ivh.a -ivr ivq.a -ks0 1vz ivz.a -iw9 iw8.a -iwi iwh.a -iwr iwq.a -ix0 iwz.a -ix9
ix8.a -ixi ixh.a -ixr ixq.a -iy0 ixz.k -kur 1w8 iyh.a -iyr iyq.a -iz0 iyz.a -iz9 iz8.a -izi izh.a -izr izq.a -j00
izz.k -j0i j0h.a -j0r j0q.a -kxi kxh.a -j19 j18.a -j1i j1h.a -j1r j1q.a -j20 j1z.a -j29 j28.u -j30 j2z.a -j39 j38.a
-l09 1wq j3h.a -j3r j3q.a -j40 j3z.a -j49 j48.a -j4i j4h.a -j4r j4q.a -j50 j4z.a -j59 j58.k -j5r j5q.a -l30 1wz j5z.a
-j69 j68.k -j6r j6q.a -j70 j6z.a -j79 j78.u -j80 j7z.k -l5r l5q.2s -l8i l8h.14 -jc0 jbz.a -jc9 jc8.a -jci jch.a -jcr
jcq.u -lb9 1xq jdh.a -jdr jdq.a -je0 jdz.a -je9 je8.a -jei jeh.a -jer jeq.a -jf0 jez.a -jf9 jf8.a -jfi jfh.a -jfr
jfq.a -le0 1xz jfz.a -jg9 jg8.28 -ji9 ji8.a -lgr 1y8 jih.a -jir jiq.a -jj0 jiz.a -jj9 jj8.a -jji jjh.a -jjr jjq.k -jk9
jk8.a -jki jkh.a -jkr jkq.a -lji ljh.a -jl9 jl8.a -jli jlh.a -jlr jlq.a -jm0 jlz.a -jm9 jm8.a -jmi jmh.a -jmr jmq.a
-jn0 jmz.k -lm9 lm8.a -jnr jnq.a -jo0 jnz.u -jor joq.a -jp0 joz.a -jp9 jp8.a -jpi jph.a -jpr jpq.a -lp0 1yz jpz.a -jq9
jq8.a -jqi jqh.a -jqr jqq.a -jr0 jqz.a -jr9 jr8.a -jri jrh.a -jrr jrq.a -js0 jrz.a -js9 js8.a -lrr 1z8 jsh.a -jsr
jsq.a -jt0 jsz.a -jt9 jt8.a -jti jth.a -jtr jtq.a -ju0 jtz.k -jui juh.a -jur juq.a -lui 1zh juz.a -jv9 jv8.a -jvi
jvh.a -jvr jvq.a -jw0 jvz.k -jwi jwh.a -jwr jwq.k -jx9 jx8.a -lx9 1zq jxh.a -jxr jxq.a -jy0 jxz.a -jy9 jy8.u -jz0
jyz.a -jz9 jz8.a -jzi jzh.a -jzr jzq.a -m00 1zz jzz.a -k09 k08.a -k0i k0h.a -k0r k0q.a -k10 k0z.u -k1r k1q.a -k20
k1z.k -m2r m2q.a -k2r k2q.a -k30 k2z.a -k39 k38.1y -m5i m5h.a -k59 k58.a -k5i k5h.a -k5r k5q.1e -k70 k6z.a -k79 k78.a
-m89 m88.a -k7r k7q.a -k80 k7z.a -k89 k88.a -k8i k8h.a -k8r k8q.u -k9i k9h.a -k9r k9q.a -mb0 20z k9z.a -ka9 ka8.a -kai
kah.a -kar kaq.a -kb0 kaz.a -kb9 kb8.a -kbi kbh.a -kbr kbq.a -kc0 kbz.a -kc9 kc8.a -mdr 218 kch.a -kcr kcq.a -kd0
kcz.a -kd9 kd8.a -kdi kdh.a -kdr kdq.1e -mgi mgh.1o -kgi kgh.a -kgr kgq.k -kh9 kh8.a -mj9 21q khh.a -khr khq.a -ki0
khz.a -ki9 ki8.a -kii kih.14 -kji kjh.a -kjr kjq.a -mm0 21z kjz.k -kki kkh.a -kkr kkq.a -kl0 kkz.a -kl9 kl8.14 -km9
km8.a -mor 228 kmh.k -kn0 kmz.k -kni knh.a -knr knq.14 -kor koq.a -mri 22h koz.14 -kq0 kpz.a -kq9 kq8.a -kqi kqh.14
-mu9 22q krh.a -krr krq.a -ks0 krz.a -ks9 ks8.a -ksi ksh.a -ksr ksq.a -kt0 ksz.a -kt9 kt8.a -kti kth.a -ktr ktq.a -mx0
22z ktz.a -ku9 ku8.1e -kvi kvh.a -kvr kvq.a -kw0 kvz.a -kw9 kw8.a -mzr 238 kwh.14 -kxi kxh.a -kxr kxq.a -ky0 kxz.k
-kyi kyh.a -kyr kyq.a -n2i 23h kyz.a -kz9 kz8.u -l00 kzz.1o -n59 n58.a -l1r l1q.2i -n80 n7z.1o -l5i l5h.a -l5r l5q.a
-l60 l5z.a -l69 l68.a -nar 248 l6h.a -l6r l6q.a -l70 l6z.a -l79 l78.a -l7i l7h.a -l7r l7q.a -l80 l7z.a -l89 l88.a -l8i
l8h.a -l8r l8q.a -ndi 24h l8z.a -l99 l98.a -l9i l9h.a -l9r l9q.a -la0 l9z.a -la9 la8.a -lai lah.14 -ng9 ng8.k -lc0
lbz.a -lc9 lc8.a -lci lch.a -lcr lcq.a -ld0 lcz.a -ld9 ld8.a -ldi ldh.a -ldr ldq.a -nj0 24z ldz.a -le9 le8.a -lei
leh.a -ler leq.a -lf0 lez.k -lfi lfh.a -lfr lfq.a -lg0 lfz.k -nlr 258 lgh.a -lgr lgq.a -lh0 lgz.a -lh9 lh8.a -lhi
lhh.a -lhr lhq.a -li0 lhz.a -li9 li8.a -lii lih.a -lir liq.a -noi 25h liz.a -lj9 lj8.a -lji ljh.a -ljr ljq.a -lk0
ljz.a -lk9 lk8.a -lki lkh.a -lkr lkq.a -ll0 lkz.a -ll9 ll8.a -nr9 25q llh.a -llr llq.a -lm0 llz.k -lmi lmh.a -lmr
lmq.a -ln0 lmz.a -ln9 ln8.a -lni lnh.a -lnr lnq.a -nu0 25z lnz.a -lo9 lo8.a -loi loh.a -lor loq.a -lp0 loz.a -lp9
lp8.a -lpi lph.a -lpr lpq.a -lq0 lpz.a -lq9 lq8.a -nwr nwq.k -lr0 lqz.a -lr9 lr8.a -lri lrh.a -lrr lrq.a -ls0 lrz.a
-ls9 ls8.a -lsi lsh.a -lsr lsq.a -nzi 26h lsz.k -lti lth.a -ltr ltq.a -lu0 ltz.k -lui luh.a -lur luq.a -lv0 luz.a -lv9
lv8.a -o29 o28.1y -lx9 lx8.a -lxi lxh.k -o50 26z lxz.a -ly9 ly8.a -lyi lyh.u -lz9 lz8.u -m00 lzz.a -m09 m08.a -o7r 278
m0h.a -m0r m0q.u -m1i m1h.a -m1r m1q.a -m20 m1z.a -m29 m28.a -m2i m2h.a -m2r m2q.a -oai 27h m2z.a -m39 m38.a -m3i
m3h.a -m3r m3q.1y -od9 od8.a -m5r m5q.a -m60 m5z.a -m69 m68.a -m6i m6h.a -m6r m6q.a -m70 m6z.a -m79 m78.a -m7i m7h.a
-m7r m7q.a -oo0 7z 27z m7z.a -m89 m88.a -m8i m8h.a -m8r m8q.a -m90 m8z.a -m99 m98.a -m9i m9h.a -m9r m9q.a -ma0 m9z.a
-ma9 ma8.a -oir 288 mah.a -mar maq.a -mb0 maz.k -mbi mbh.a -mbr mbq.a -mc0 mbz.k -mci mch.a -mcr mcq.a -oli 28h mcz.a
-md9 md8.a -mdi mdh.a -mdr mdq.a -me0 mdz.a -me9 me8.a -mei meh.a -mer meq.a -mf0 mez.a -mf9 mf8.a -oo9 28q mfh.a -mfr
mfq.a -mg0 mfz.a -mg9 mg8.a -mgi mgh.a -mgr mgq.a -mh0 mgz.a -mh9 mh8.a -mhi mhh.a -mhr mhq.a -or0 28z mhz.k -mii
mih.a -mir miq.a -mj0 miz.a -mj9 mj8.a -mji mjh.a -mjr mjq.a -mk0 mjz.a -mk9 mk8.a -otr 298 mkh.a -mkr mkq.k -ml9
ml8.a -mli mlh.a -mlr mlq.a -mm0 mlz.a -mm9 mm8.u -owi 29h mmz.a -mn9 mn8.a -mni mnh.a -mnr mnq.a -mo0 mnz.a -mo9
mo8.a -moi moh.a -mor moq.a -mp0 moz.k -oz9 29q mph.a -mpr mpq.a -mq0 mpz.k -mqi mqh.a -mqr mqq.a -mr0 mqz.a -mr9
mr8.u -p20 p1z.1e -mt9 mt8.a -mti mth.14 -p4r p4q.u -mv9 mv8.a -mvi mvh.k -mw0 mvz.a -mw9 mw8.a -mwi mwh.a -mwr mwq.a
-pfr 88 p7h.k -mxi mxh.a -mxr mxq.a -my0 mxz.a -my9 my8.a -myi myh.a -myr myq.a -mz0 myz.a -mz9 mz8.a -pa9 2aq mzh.a
-mzr mzq.k -n09 n08.a -n0i n0h.1o -pd0 pcz.28 -n40 n3z.a -n49 n48.a -pfr 2b8 n4h.a -n4r n4q.a -n50 n4z.a -n59 n58.a
-n5i n5h.a -n5r n5q.a -n60 n5z.a -n69 n68.a -n6i n6h.a -n6r n6q.a -pii 2bh n6z.k -n7i n7h.a -n7r n7q.a -n80 n7z.k -n8i
n8h.a -n8r n8q.a -n90 n8z.a -n99 n98.a -pl9 2bq n9h.a -n9r n9q.a -na0 n9z.a -na9 na8.a -nai nah.a -nar naq.a -nb0
naz.a -nb9 nb8.a -nbi nbh.a -nbr nbq.a -po0 2bz nbz.a -nc9 nc8.a -nci nch.a -ncr ncq.a -nd0 ncz.a -nd9 nd8.a -ndi
ndh.a -ndr ndq.a -ne0 ndz.a -ne9 ne8.a -pqr 2c8 neh.a -ner neq.a -nf0 nez.a -nf9 nf8.a -nfi nfh.a -nfr nfq.a -ng0
nfz.a -ng9 ng8.a -ngi ngh.a -ngr ngq.a -pti 2ch ngz.a -nh9 nh8.a -nhi nhh.a -nhr nhq.a -ni0 nhz.a -ni9 ni8.a -nii
nih.a -nir niq.a -nj0 niz.a -nj9 nj8.a -pw9 2cq njh.a -njr njq.a -nk0 njz.a -nk9 nk8.a -nki nkh.a -nkr nkq.a -nl0
nkz.k -nli nlh.a -nlr nlq.a -q7i 8h 2cz nlz.k -nmi nmh.a -nmr nmq.a -nn0 nmz.a -nn9 nn8.a -nni nnh.a -nnr nnq.u -q1r
q1q.k -np0 noz.a -np9 np8.a -npi nph.a -npr npq.a -nq0 npz.a -nq9 nq8.a -nqi nqh.a -nqr nqq.a -q4i 2dh nqz.a -nr9
nr8.a -nri nrh.a -nrr nrq.a -ns0 nrz.a -ns9 ns8.a -nsi nsh.a -nsr nsq.u -q79 2dq nth.a -ntr ntq.a -nu0 ntz.a -nu9
nu8.a -nui nuh.a -nur nuq.a -nv0 nuz.a -nv9 nv8.a -nvi nvh.a -nvr nvq.a -qa0 2dz nvz.a -nw9 nw8.a -nwi nwh.a -nwr
nwq.a -nx0 nwz.a -nx9 nx8.a -nxi nxh.a -nxr nxq.a -ny0 nxz.a -ny9 ny8.a -qcr 2e8 nyh.a -nyr nyq.a -nz0 nyz.a -nz9
nz8.a -nzi nzh.a -nzr nzq.k -o09 o08.a -o0i o0h.a -o0r o0q.a -qfi qfh.a -o19 o18.a -o1i o1h.a -o1r o1q.a -o20 o1z.a
-o29 o28.a -o2i o2h.a -o2r o2q.a -o30 o2z.a -o39 o38.a -qi9 2eq o3h.a -o3r o3q.a -o40 o3z.a -o49 o48.a -o4i o4h.a -o4r
o4q.a -o50 o4z.a -o59 o58.a -o5i o5h.k -ql0 qkz.k -o6i o6h.a -o6r o6q.a -o70 o6z.a -o79 o78.a -o7i o7h.a -o7r o7q.a
-o80 o7z.a -o89 o88.a -qnr 2f8 o8h.a -o8r o8q.a -o90 o8z.a -o99 o98.a -o9i o9h.a -o9r o9q.a -oa0 o9z.a -oa9 oa8.a -oai
oah.a -oar oaq.a -qz9 8q 2fh oaz.a -ob9 ob8.a -obi obh.a -obr obq.a -oc0 obz.a -oc9 oc8.k -ocr ocq.a -od0 ocz.a -od9
od8.a -qt9 2fq odh.a -odr odq.a -oe0 odz.a -oe9 oe8.a -oei oeh.a -oer oeq.k -of9 of8.u -qw0 2fz ofz.a -og9 og8.a -ogi
ogh.a -ogr ogq.a -oh0 ogz.a -oh9 oh8.a -ohi ohh.14 -qyr 2g8 oih.1e -ojr ojq.a -ok0 ojz.a -ok9 ok8.a -oki okh.a -okr
okq.a -r1i 2gh okz.k -oli olh.k -om0 olz.a -om9 om8.a -omi omh.a -omr omq.a -on0 omz.a -on9 on8.a -r49 2gq onh.a -onr
onq.1y -opi oph.a -opr opq.a -r70 2gz opz.a -oq9 oq8.a -oqi oqh.a -oqr oqq.a -or0 oqz.a -or9 or8.a -ori orh.a -orr
orq.u -r9r 2h8 osh.a -osr osq.a -ot0 osz.28 -rci rch.1e -ow9 ow8.a -owi owh.a -owr owq.a -ox0 owz.a -ox9 ox8.a -rf9
2hq oxh.a -oxr oxq.a -oy0 oxz.a -oy9 oy8.a -oyi oyh.a -oyr oyq.a -oz0 oyz.a -oz9 oz8.a -ozi ozh.a -ozr ozq.a -rr0 8z
2hz ozz.a -p09 p08.a -p0i p0h.a -p0r p0q.a -p10 p0z.a -p19 p18.a -p1i p1h.a -p1r p1q.a -p20 p1z.a -p29 p28.a -rkr 2i8
p2h.a -p2r p2q.a -p30 p2z.a -p39 p38.a -p3i p3h.a -p3r p3q.a -p40 p3z.a -p49 p48.a -p4i p4h.a -p4r p4q.a -rni 2ih
p4z.a -p59 p58.a -p5i p5h.a -p5r p5q.a -p60 p5z.a -p69 p68.a -p6i p6h.a -p6r p6q.a -p70 p6z.a -p79 p78.a -rq9 2iq
p7h.a -p7r p7q.a -p80 p7z.a -p89 p88.a -p8i p8h.a -p8r p8q.a -p90 p8z.a -p99 p98.a -p9i p9h.a -p9r p9q.a -rt0 2iz
p9z.a -pa9 pa8.a -pai pah.1e -pbr pbq.a -pc0 pbz.a -pc9 pc8.a -rvr 2j8 pch.a -pcr pcq.a -pd0 pcz.a -pd9 pd8.a -pdi
pdh.a -pdr pdq.a -pe0 pdz.a -pe9 pe8.a -pei peh.a -per peq.a -ryi 2jh pez.a -pf9 pf8.a -pfi pfh.a -pfr pfq.a -pg0
pfz.a -pg9 pg8.a -pgi pgh.a -pgr pgq.a -ph0 pgz.a -ph9 ph8.a -s19 2jq phh.a -phr phq.a -pi0 phz.a -pi9 pi8.a -pii
pih.a -pir piq.1e -s40 s3z.2s -s6r s6q.2s -sir 98 s9h.2s -sc9 sc8.u -ps9 ps8.a -psi psh.k -pt0 psz.k -pti pth.a -ptr
ptq.a -sf0 2kz ptz.a -pu9 pu8.a -pui puh.k -pv0 puz.a -pv9 pv8.a -pvi pvh.a -pvr pvq.a -pw0 pvz.a -pw9 pw8.a -shr 2l8
pwh.a -pwr pwq.a -px0 pwz.a -px9 px8.a -pxi pxh.a -pxr pxq.a -py0 pxz.a -py9 py8.a -pyi pyh.a -pyr pyq.a -ski 2lh
pyz.a -pz9 pz8.a -pzi pzh.a -pzr pzq.a -q00 pzz.a -q09 q08.a -q0i q0h.a -q0r q0q.k -q19 q18.a -sn9 sn8.a -q1r q1q.a
-q20 q1z.a -q29 q28.a -q2i q2h.a -q2r q2q.a -q30 q2z.a -q39 q38.a -q3i q3h.a -q3r q3q.a -sq0 2lz q3z.a -q49 q48.a -q4i
q4h.a -q4r q4q.a -q50 q4z.a -q59 q58.a -q5i q5h.a -q5r q5q.a -q60 q5z.a -q69 q68.a -ssr 2m8 q6h.a -q6r q6q.a -q70
q6z.a -q79 q78.u -q80 q7z.a -q89 q88.a -q8i q8h.a -q8r q8q.a -svi 2mh q8z.k -q9i q9h.k -qa0 q9z.a -qa9 qa8.a -qai
qah.a -qar qaq.a -qb0 qaz.a -qb9 qb8.a -sy9 sy8.k -qc0 qbz.a -qc9 qc8.a -qci qch.a -qcr qcq.a -qd0 qcz.a -qd9 qd8.a
-qdi qdh.a -qdr qdq.a -tai 9h 2mz qdz.a -qe9 qe8.u -qf0 qez.a -qf9 qf8.a -qfi qfh.a -qfr qfq.u -t3r t3q.2s -t6i t6h.2s
-t99 t98.2s -tc0 2nz qnz.a -qo9 qo8.a -qoi qoh.a -qor qoq.a -qp0 qoz.a -qp9 qp8.a -qpi qph.a -qpr qpq.a -qq0 qpz.a
-qq9 qq8.a -ter 2o8 qqh.a -qqr qqq.a -qr0 qqz.a -qr9 qr8.a -qri qrh.a -qrr qrq.a -qs0 qrz.a -qs9 qs8.a -qsi qsh.a -qsr
qsq.a -thi 2oh qsz.a -qt9 qt8.a -qti qth.a -qtr qtq.a -qu0 qtz.a -qu9 qu8.a -qui quh.a -qur quq.a -qv0 quz.a -qv9
qv8.a -tk9 2oq qvh.a -qvr qvq.a -qw0 qvz.a -qw9 qw8.a -qwi qwh.a -qwr qwq.a -qx0 qwz.a -qx9 qx8.a -qxi qxh.a -qxr
qxq.a -tn0 2oz qxz.a -qy9 qy8.a -qyi qyh.a -qyr qyq.a -qz0 qyz.a -qz9 qz8.a -qzi qzh.a -qzr qzq.a -r00 qzz.a -r09
r08.a -tpr 2p8 r0h.a -r0r r0q.a -r10 r0z.a -r19 r18.a -r1i r1h.a -r1r r1q.a -r20 r1z.a -r29 r28.a -r2i r2h.a -r2r
r2q.a -u29 9q 2ph r2z.a -r39 r38.a -r3i r3h.a -r3r r3q.a -r40 r3z.a -r49 r48.a -r4i r4h.a -r4r r4q.a -r50 r4z.a -r59
r58.a -tv9 2pq r5h.a -r5r r5q.k -r69 r68.a -r6i r6h.a -r6r r6q.a -r70 r6z.a -r79 r78.a -r7i r7h.a -r7r r7q.a -ty0 2pz
r7z.a -r89 r88.a -r8i r8h.a -r8r r8q.a -r90 r8z.a -r99 r98.a -r9i r9h.a -r9r r9q.a -ra0 r9z.a -ra9 ra8.a -u0r 2q8
rah.a -rar raq.a -rb0 raz.a -rb9 rb8.a -rbi rbh.a -rbr rbq.a -rc0 rbz.a -rc9 rc8.a -rci rch.a -rcr rcq.a -u3i 2qh
rcz.a -rd9 rd8.a -rdi rdh.a -rdr rdq.a -re0 rdz.a -re9 re8.a -rei reh.a -rer req.a -rf0 rez.k -u69 u68.u -rg9 rg8.a
-rgi rgh.a -rgr rgq.a -rh0 rgz.a -rh9 rh8.a -rhi rhh.a -rhr rhq.a -u90 2qz rhz.a -ri9 ri8.a -rii rih.a -rir riq.a -rj0
riz.a -rj9 rj8.a -rji rjh.a -rjr rjq.a -rk0 rjz.a -rk9 rk8.a -ubr 2r8 rkh.a -rkr rkq.a -rl0 rkz.a -rl9 rl8.a -rli
rlh.a -rlr rlq.a -rm0 rlz.a -rm9 rm8.a -rmi rmh.a -rmr rmq.a -uei 2rh rmz.a -rn9 rn8.a -rni rnh.a -rnr rnq.a -ro0
rnz.a -ro9 ro8.a -roi roh.a -ror roq.a -rp0 roz.a -rp9 rp8.a -uh9 2rq rph.a -rpr rpq.k -rq9 rq8.a -rqi rqh.a -rqr
rqq.a -rr0 rqz.a -rr9 rr8.a -rri rrh.a -rrr rrq.a -uu0 9z 2rz rrz.a -rs9 rs8.a -rsi rsh.a -rsr rsq.a -rt0 rsz.a -rt9
rt8.a -rti rth.a -rtr rtq.a -ru0 rtz.a -ru9 ru8.a -umr 2s8 ruh.a -rur ruq.a -rv0 ruz.a -rv9 rv8.a -rvi rvh.a -rvr
rvq.a -rw0 rvz.a -rw9 rw8.a -rwi rwh.a -rwr rwq.a -upi 2sh rwz.a -rx9 rx8.a -rxi rxh.a -rxr rxq.a -ry0 rxz.a -ry9
ry8.a -ryi ryh.a -ryr ryq.a -rz0 ryz.k -us9 2sq rzh.a -rzr rzq.a -s00 rzz.a -s09 s08.a -s0i s0h.a -s0r s0q.a -s10
s0z.a -s19 s18.a -s1i s1h.a -s1r s1q.a -uv0 2sz s1z.a -s29 s28.a -s2i s2h.a -s2r s2q.a -s30 s2z.k -s3i s3h.a -s3r
s3q.a -s40 s3z.a -s49 s48.a -uxr 2t8 s4h.a -s4r s4q.a -s50 s4z.a -s59 s58.a -s5i s5h.a -s5r s5q.a -s60 s5z.a -s69
s68.a -s6i s6h.k -v0i v0h.2s -v39 v38.2s -v60 v5z.2s -v8r v8q.1o -sg0 sfz.a -sg9 sg8.a -sgi sgh.a -sgr sgq.a -vlr a8
2uh sgz.a -sh9 sh8.a -shi shh.a -shr shq.a -si0 shz.a -si9 si8.a -sii sih.a -sir siq.a -sj0 siz.a -sj9 sj8.a -ve9 2uq
sjh.a -sjr sjq.a -sk0 sjz.a -sk9 sk8.a -ski skh.a -skr skq.a -sl0 skz.a -sl9 sl8.a -sli slh.a -slr slq.a -vh0 2uz
slz.a -sm9 sm8.a -smi smh.a -smr smq.a -sn0 smz.a -sn9 sn8.a -sni snh.a -snr snq.a -so0 snz.a -so9 so8.a -vjr 2v8
soh.a -sor soq.a -sp0 soz.a -sp9 sp8.a -spi sph.a -spr spq.a -sq0 spz.a -sq9 sq8.a -sqi sqh.a -sqr sqq.a -vmi 2vh
sqz.a -sr9 sr8.a -sri srh.a -srr srq.a -ss0 srz.a -ss9 ss8.a -ssi ssh.a -ssr ssq.a -st0 ssz.a -st9 st8.a -vp9 2vq
sth.a -str stq.a -su0 stz.a -su9 su8.a -sui suh.a -sur suq.a -sv0 suz.a -sv9 sv8.a -svi svh.a -svr svq.a -vs0 2vz
svz.a -sw9 sw8.a -swi swh.a -swr swq.a -sx0 swz.a -sx9 sx8.a -sxi sxh.a -sxr sxq.a -sy0 sxz.a -sy9 sy8.a -vur 2w8
syh.a -syr syq.a -sz0 syz.a -sz9 sz8.a -szi szh.a -szr szq.a -t00 szz.a -t09 t08.a -t0i t0h.a -t0r t0q.a -vxi 2wh
t0z.a -t19 t18.a -t1i t1h.a -t1r t1q.a -t20 t1z.a -t29 t28.a -t2i t2h.a -t2r t2q.a -t30 t2z.a -t39 t38.a -w09 2wq
t3h.a -t3r t3q.a -t40 t3z.a -t49 t48.a -t4i t4h.a -t4r t4q.a -t50 t4z.a -t59 t58.a -t5i t5h.a -t5r t5q.a -wdi ah 2wz
t5z.a -t69 t68.a -t6i t6h.a -t6r t6q.a -t70 t6z.a -t79 t78.a -t7i t7h.a -t7r t7q.a -t80 t7z.a -t89 t88.a -w5r 2x8
t8h.a -t8r t8q.a -t90 t8z.5 3.2 -t99 t98.a -t9i t9h.a -t9r t9q.a -ta0 t9z.a -ta9 ta8.a -tai tah.3 -tak tas.8 -w8i 2xh
taz.a -tb9 tb8.a -tbi tbh.a -tbr tbq.a -tc0 tbz.a -tc9 tc8.a -tci tch.a -tcr tcq.a -td0 tcz.a -td9 td8.a -wb9 2xq
tdh.a -tdr tdq.a -te0 tdz.a -te9 te8.a -tei teh.a -ter teq.a -tf0 tez.a -tf9 tf8.a -tfi tfh.a -tfr tfq.a -we0 2xz
tfz.a -tg9 tg8.a -tgi tgh.a -tgr tgq.a -th0 tgz.a -th9 th8.a -thi thh.a -thr thq.a -ti0 thz.a -ti9 ti8.a -wgr 2y8
tih.a -tir tiq.a -tj0 tiz.a -tj9 tj8.a -tji.3 tjz.a -tk9 tk8.a -tki tkh.a -tkr tkq.a -wji 2yh tkz.a -tl9 tl8.a -tli
tlh.a -tlr tlq.a -tm0 tlz.a -tm9 tm8.a -tmi tmh.a -tmr tmq.a -tn0 tmz.a -tn9 tn8.a -wm9 2yq tnh.a -tnr tnq.a -to0
tnz.a -to9 to8.a -toi toh.4 -tol tos.8 -tp0 toz.a -tp9 tp8.a -tpi tph.a -tpr tpq.a -wp0 2yz tpz.a -tq9 tq8.a -tqi
tqh.a -tqr tqq.a -tr0 tqz.a -tr9 tr8.a -tri trh.a -trr trq.a -ts0 trz.a -ts9 ts8.a -wrr 2z8 tsh.a -tsr tsq.a -tt0
tsz.a -tt9 tt8.k -ttr ttq.5 5.2 1 1.5 o.6 -x59 aq wuh.a -tv9 tv8.u -tw0 tvz.a -tw9 tw8.3 3.4 -twi twh.6 -twn tws.8
-tx0 twz.a -tx9 tx8.a -wx9 2zq txh.a -txr txq.a -ty0 txz.8 -ty7 tye.4 -tyi tyh.a -tyr tyq.a -tz0 tyz.a -tz9 tz8.a -tzi
tzh.a -tzr tzq.a -x00 2zz tzz.6 -u05 u0c.6 -u0i u0h.6 -u0n u0s.8 -u10 u0z.a -u19 u18.a -u1i u1h.a -u1r u1q.a -u20
u1z.a -u29 u28.a -x2r 308 u2h.a -u2r u2q.a -u30 u2z.a -u39 u38.a -u3i u3h.8 -u3p u3z -u40 u3z.a -u49 u48.a -u4i u4h.9
-u4q u4s.8 -x5i 30h u4z.a -u59 u58.a -u5i u5h.a -u5r u5q.a -u60 u5z.a -u69 u68.a -u6i u6h.a -u6r u6r.9 -u70 u6z.2 4.4
-u79 u78.a -x89 30q u7h.a -u7r u7q.9 -u7z u7z.a -u89 u88.a -u8i u8h.a -u8r u8q.a -u90 u8z.a -u99 u98.5 -u9d u9l.6 -u9r
u9q.8 -xay 30z u9z.a -ua9 uaa.8 -uai uah.a -uar uaq.a -ub0 uaz.a -ub9 ub8.a -ubi ubh.a -ubr ubq.a -uc0 ubz.a -uc9
uc8.a -xdr 318 uch.a -ucr ucq.5 -ucv.2 udh -udi udh.a -udr udq.a -ue0 udz.7 -ue6 uef.3 -uei ueh.3 2.5 -uer ueq 2.6
-xgh 31h uf7.2 -uf9 uf8.5 1.4 -ufi ufh.3 1.6 -ufr ufq.a -ug0 ufz.a -ug9 ug8.a -ugi ugh.a -ugr ugq.a -uh0 ugz.4 4.2
-uh9 uh8.a -xj9 31q uhh.a -uhr uhq.a -ui0 uhz.a -ui9 ui8.a -uii uih.a -uir uiq.a -uj0 uiz.a -uj9 uj8.a -uji ujh.a -ujr
ujq.a -xx0 az 31z ujz.a -uk9 uk8.4 2.4 -uki ukh.6 -ukn uks.8 -ul0 ukz.a -ul9 ul8.a -uli ulh.a -ulr ulq.a -um0 ulz.a
-um9 um8.a -xor 328 umh.a -umr umq.a -un0 umz.a -un9 un8.a -uni unh.a -unr unq.a -uo0 unz.a -uo9 uo8.a -uoi uoh.a -uor
uoq.a -xri 32h uoz.a -up9 up8.a -upi uph.a -upr upq.a -uq0 upz.a -uq9 uq8.a -uqi uqh.a -uqr uqq.a -ur0 uqz.a -ur9
ur8.a -xu9 32q urh.a -urr urq.a -us0 urz.a -us9 us8.a -usi ush.a -usr usq.a -ut0 usz.a -ut9 ut8.a -uti uth.a -utr
utq.a -xx0 32z utz.a -uu9 uu8.a -uui uuh.a -uur uuq.a -uv0 uuz.a -uv9 uv8.a -uvi uvh.a -uvr uvq.a -uw0 uvz.a -uw9
uw8.a -xzr 338 uwh.a -uwr uwq.a -ux0 uwz.a -ux9 ux8.a -uxi uxh.a -uxr uxq.a -uy0 uxz.a -uy9 uy8.a -uyi uyh.a -uyr
uyq.a -y2i 33h uyz.a -uz9 uz8.a -uzi uzh.a -uzr uzq.a -v00 uzz.a -v09 v08.a -v0i v0h.a -v0r v0q.a -v10 v0z.a -v19
v18.a -y59 33q v1h.a -v1r v1q.a -v20 v1z.a -v29 v28.a -v2i v2h.a -v2r v2q.a -v30 v2z.a -v39 v38.a -v3i v3h.a -v3r
v3q.a -y80 33z v3z.a -v49 v48.a -v4i v4h.a -v4r v4q.a -v50 v4z.a -v59 v58.a -v5i v5h.a -v5r v5q.a -v60 v5z.a -v69
v68.a -yar 348 v6h.a -v6r v6q.a -v70 v6z.a -v79 v78.a -v7i v7h.a -v7r v7q.a -v80 v7z.a -v89 v88.a -v8i v8h.a -v8r
v8q.a -yor b8 34h v8z.a -v99 v98.a -v9i v9h.a -v9r v9q.a -va0 v9z.a -va9 va8.a -vai vah.a -var vaq.a -vb0 vaz.a -vb9
vb8.a -yg9 34q vbh.a -vbr vbq.a -vc0 vbz.a -vc9 vc8.a -vci vch.a -vcr vcq.a -vd0 vcz.a -vd9 vd8.a -vdi vdh.a -vdr
vdq.a -yj0 34z vdz.a -ve9 ve8.a -vei veh.a -ver veq.a -vf0 vez.a -vf9 vf8.a -vfi vfh.a -vfr vfq.a -vg0 vfz.a -vg9
vg8.a -ylr 358 vgh.a -vgr vgq.a -vh0 vgz.a -vh9 vh8.a -vhi vhh.a -vhr vhq.a -vi0 vhz.a -vi9 vi8.a -vii vih.a -vir
viq.a -yoi 35h viz.a -vj9 vj8.a -vji vjh.a -vjr vjq.a -vk0 vjz.a -vk9 vk8.a -vki vkh.a -vkr vkq.a -vl0 vkz.a -vl9
vl8.a -yr9 35q vlh.a -vlr vlq.a -vm0 vlz.a -vm9 vm8.a -vmi vmh.a -vmr vmq.a -vn0 vmz.a -vn9 vn8.a -vni vnh.a -vnr
vnq.a -yu0 35z vnz.a -vo9 vo8.a -voi voh.a -vor voq.a -vp0 voz.a -vp9 vp8.a -vpi vph.a -vpr vpq.a -vq0 vpz.a -vq9
vq8.a -ywr 368 vqh.a -vqr vqq.a -vr0 vqz.a -vr9 vr8.a -vri vrh.a -vrr vrq.a -vs0 vrz.a -vs9 vs8.a -vsi vsh.a -vsr
vsq.a -yzi 36h vsz.a -vt9 vt8.a -vti vth.a -vtr vtq.a -vu0 vtz.a -vu9 vu8.a -vui vuh.a -vur vuq.a -vv0 vuz.a -vv9
vv8.a -z29 36q vvh.a -vvr vvq.a -vw0 vvz.a -vw9 vw8.a -vwi vwh.a -vwr vwq.a -vx0 vwz.a -vx9 vx8.a -vxi vxh.a -vxr
vxq.a -zgi bh 36z vxz.a -vy9 vy8.a -vyi vyh.a -vyr vyq.a -vz0 vyz.a -vz9 vz8.a -vzi vzh.a -vzr vzq.a -w00 vzz.a -w09
w08.a -z7r 378 w0h.a -w0r w0q.a -w10 w0z.a -w19 w18.a -w1i w1h.a -w1r w1q.a -w20 w1z.a -w29 w28.a -w2i w2h.a -w2r
w2q.a -zai 37h w2z.a -w39 w38.a -w3i w3h.a -w3r w3q.a -w40 w3z.a -w49 w48.a -w4i w4h.a -w4r w4q.a -w50 w4z.a -w59
w58.a -zd9 37q w5h.a -w5r w5q.a -w60 w5z.a -w69 w68.a -w6i w6h.a -w6r w6q.a -w70 w6z.a -w79 w78.a -w7i w7h.a -w7r
w7q.a -zg0 37z w7z.a -w89 w88.a -w8i w8h.a -w8r w8q.a -w90 w8z.a -w99 w98.a -w9i w9h.a -w9r w9q.a -wa0 w9z.a -wa9
wa8.a -zir 388 wah.a -war waq.a -wb0 waz.a -wb9 wb8.a -wbi wbh.a -wbr wbq.a -wc0 wbz.a -wc9 wc8.a -wci wch.a -wcr
wcq.a -zli 38h wcz.a -wd9 wd8.a -wdi wdh.a -wdr wdq.a -we0 wdz.a -we9 we8.a -wei weh.a -wer weq.a -wf0 wez.a -wf9
wf8.a -zo9 38q wfh.a -wfr wfq.a -wg0 wfz.a -wg9 wg8.a -wgi wgh.a -wgr wgq.a -wh0 wgz.a -wh9 wh8.a -whi whh.a -whr
whq.a -zr0 38z whz.k -wii wih.a -wir wiq.a -wj0 wiz.a -wj9 wj8.u -wk0 wjz.a -wk9 wk8.a -ztr 398 wkh.a -wkr wkq.a -wl0
wkz.a -wl9 wl8.a -wli wlh.k -wm0 wlz.k -wmi wmh.a -wmr wmq.a -1089 bq 39h wmz.a -wn9 wn8.u -wo0 wnz.a -wo9 wo8.a -woi
woh.a -wor woq.a -wp0 woz.a -wp9 wp8.a -zz9 39q wph.a -wpr wpq.a -wq0 wpz.a -wq9 wq8.a -wqi wqh.a -wqr wqq.a -wr0
wqz.a -wr9 wr8.a -wri wrh.a -wrr wrq.a -1020 39z wrz.a -ws9 ws8.a -wsi wsh.a -wsr wsq.a -wt0 wsz.a -wt9 wt8.a -wti
wth.a -wtr wtq.a -wu0 wtz.a -wu9 wu8.a -104r 3a8 wuh.a -wur wuq.a -wv0 wuz.a -wv9 wv8.a -wvi wvh.a -wvr wvq.a -ww0
wvz.a -ww9 ww8.a -wwi wwh.a -wwr wwq.a -107i 3ah wwz.a -wx9 wx8.a -wxi wxh.a -wxr wxq.a -wy0 wxz.k -wyi wyh.a -wyr
wyq.a -wz0 wyz.a -wz9 wz8.a -10a9 10a8.k -x00 wzz.a -x09 x08.a -x0i x0h.a -x0r x0q.a -x10 x0z.a -x19 x18.a -x1i x1h.a
-x1r x1q.a -10d0 3az x1z.a -x29 x28.a -x2i x2h.a -x2r x2q.a -x30 x2z.a -x39 x38.a -x3i x3h.a -x3r x3q.a -x40 x3z.a
-x49 x48.a -10fr 3b8 x4h.a -x4r x4q.a -x50 x4z.a -x59 x58.a -x5i x5h.a -x5r x5q.a -x60 x5z.a -x69 x68.a -x6i x6h.a
-x6r x6q.a -10ii 3bh x6z.a -x79 x78.a -x7i x7h.a -x7r x7q.a -x80 x7z.k -x8i x8h.a -x8r x8q.a -x90 x8z.a -x99 x98.a
-10l9 10l8.k -xa0 x9z.a -xa9 xa8.a -xai xah.a -xar xaq.a -xb0 xaz.a -xb9 xb8.a -xbi xbh.k -1100 bz 3bz xbz.k -xci
xch.a -xcr xcq.a -xd0 xcz.a -xd9 xd8.u -xe0 xdz.a -xe9 xe8.a -10qr 3c8 xeh.a -xer xeq.a -xf0 xez.a -xf9 xf8.a -xfi
xfh.a -xfr xfq.a -xg0 xfz.a -xg9 xg8.a -xgi xgh.a -xgr xgq.a -10ti 3ch xgz.a -xh9 xh8.a -xhi xhh.k -xi0 xhz.a -xi9
xi8.a -xii xih.a -xir xiq.a -xj0 xiz.a -xj9 xj8.a -10w9 3cq xjh.a -xjr xjq.a -xk0 xjz.a -xk9 xk8.a -xki xkh.a -xkr
xkq.a -xl0 xkz.a -xl9 xl8.a -xli xlh.a -xlr xlq.a -10z0 3cz xlz.a -xm9 xm8.a -xmi xmh.a -xmr xmq.a -xn0 xmz.a -xn9
xn8.a -xni xnh.a -xnr xnq.a -xo0 xnz.a -xo9 xo8.a -111r 3d8 xoh.a -xor xoq.a -xp0 xoz.a -xp9 xp8.a -xpi xph.a -xpr
xpq.a -xq0 xpz.a -xq9 xq8.a -xqi xqh.a -xqr xqq.a -114i 3dh xqz.a -xr9 xr8.a -xri xrh.a -xrr xrq.a -xs0 xrz.a -xs9
xs8.a -xsi xsh.a -xsr xsq.a -xt0 xsz.a -xt9 xt8.a -1179 3dq xth.a -xtr xtq.a -xu0 xtz.a -xu9 xu8.a -xui xuh.a -xur
xuq.a -xv0 xuz.a -xv9 xv8.a -xvi xvh.a -xvr xvq.a -11a0 3dz xvz.k -xwi xwh.a -xwr xwq.a -xx0 xwz.a -xx9 xx8.u -xy0
xxz.a -xy9 xy8.a -11cr 3e8 xyh.a -xyr xyq.a -xz0 xyz.a -xz9 xz8.a -xzi xzh.a -xzr xzq.a -y00 xzz.a -y09 y08.a -y0i
y0h.a -y0r y0q.a -11rr c8 3eh y0z.a -y19 y18.a -y1i y1h.a -y1r y1q.a -y20 y1z.a -y29 y28.a -y2i y2h.a -y2r y2q.a -y30
y2z.a -y39 y38.a -11i9 3eq y3h.a -y3r y3q.a -y40 y3z.a -y49 y48.a -y4i y4h.a -y4r y4q.a -y50 y4z.a -y59 y58.a -y5i
y5h.a -y5r y5q.a -11l0 3ez y5z.a -y69 y68.a -y6i y6h.a -y6r y6q.a -y70 y6z.a -y79 y78.a -y7i y7h.a -y7r y7q.a -y80
y7z.a -y89 y88.a -11nr 3f8 y8h.a -y8r y8q.a -y90 y8z.a -y99 y98.a -y9i y9h.a -y9r y9q.a -ya0 y9z.a -ya9 ya8.a -yai
yah.a -yar yaq.a -11qi 3fh yaz.a -yb9 yb8.a -ybi ybh.a -ybr ybq.a -yc0 ybz.a -yc9 yc8.a -yci ych.a -ycr ycq.a -yd0
ycz.a -yd9 yd8.a -11t9 3fq ydh.a -ydr ydq.a -ye0 ydz.a -ye9 ye8.a -yei yeh.u -yf9 yf8.a -yfi yfh.a -yfr yfq.a -11w0
3fz yfz.a -yg9 yg8.a -ygi ygh.a -ygr ygq.a -yh0 ygz.a -yh9 yh8.a -yhi yhh.a -yhr yhq.a -yi0 yhz.a -yi9 yi8.a -11yr 3g8
yih.a -yir yiq.a -yj0 yiz.a -yj9 yj8.a -yji yjh.a -yjr yjq.a -yk0 yjz.a -yk9 yk8.a -yki ykh.a -ykr ykq.a -121i 3gh
ykz.a -yl9 yl8.a -yli ylh.a -ylr ylq.a -ym0 ylz.a -ym9 ym8.a -ymi ymh.a -ymr ymq.a -yn0 ymz.k -1249 1248.k -yo0 ynz.a
-yo9 yo8.a -yoi yoh.a -yor yoq.a -yp0 yoz.a -yp9 yp8.a -ypi yph.a -ypr ypq.a -12ji ch 3gz ypz.a -yq9 yq8.a -yqi yqh.a
-yqr yqq.a -yr0 yqz.a -yr9 yr8.a -yri yrh.a -yrr yrq.a -ys0 yrz.a -ys9 ys8.a -129r 3h8 ysh.a -ysr ysq.a -yt0 ysz.a
-yt9 yt8.a -yti yth.a -ytr ytq.a -yu0 ytz.a -yu9 yu8.u -12ci 12ch.14 -yw0 yvz.a -yw9 yw8.a -ywi ywh.a -ywr ywq.a -yx0
ywz.a -yx9 yx8.a -12f9 3hq yxh.a -yxr yxq.a -yy0 yxz.a -yy9 yy8.a -yyi yyh.a -yyr yyq.a -yz0 yyz.a -yz9 yz8.a -yzi
yzh.a -yzr yzq.a -12i0 3hz yzz.a -z09 z08.a -z0i z0h.a -z0r z0q.a -z10 z0z.a -z19 z18.a -z1i z1h.a -z1r z1q.a -z20
z1z.a -z29 z28.a -12kr 3i8 z2h.a -z2r z2q.a -z30 z2z.a -z39 z38.a -z3i z3h.a -z3r z3q.a -z40 z3z.a -z49 z48.a -z4i
z4h.a -z4r z4q.a -12ni 3ih z4z.a -z59 z58.a -z5i z5h.a -z5r z5q.a -z60 z5z.a -z69 z68.a -z6i z6h.a -z6r z6q.a -z70
z6z.a -z79 z78.a -12q9 3iq z7h.a -z7r z7q.a -z80 z7z.a -z89 z88.a -z8i z8h.a -z8r z8q.a -z90 z8z.a -z99 z98.a -z9i
z9h.a -z9r z9q.a -12t0 3iz z9z.a -za9 za8.a -zai zah.a -zar zaq.a -zb0 zaz.a -zb9 zb8.a -zbi zbh.a -zbr zbq.a -zc0
zbz.a -zc9 zc8.a -12vr 3j8 zch.a -zcr zcq.a -zd0 zcz.a -zd9 zd8.a -zdi zdh.a -zdr zdq.a -ze0 zdz.a -ze9 ze8.a -zei
zeh.a -zer zeq.a -13b9 cq 3jh zez.a -zf9 zf8.a -zfi zfh.a -zfr zfq.a -zg0 zfz.a -zg9 zg8.a -zgi zgh.a -zgr zgq.a -zh0
zgz.a -zh9 zh8.a -1319 1318.k -zi0 zhz.a -zi9 zi8.a -zii zih.a -zir ziq.a -zj0 ziz.a -zj9 zj8.u -1340 3jz zjz.a -zk9
zk8.a -zki zkh.a -zkr zkq.a -zl0 zkz.a -zl9 zl8.a -zli zlh.a -zlr zlq.a -zm0 zlz.a -zm9 zm8.a -136r 3k8 zmh.a -zmr
zmq.a -zn0 zmz.a -zn9 zn8.a -zni znh.a -znr znq.a -zo0 znz.a -zo9 zo8.a -zoi zoh.a -zor zoq.a -139i 3kh zoz.a -zp9
zp8.a -zpi zph.a -zpr zpq.a -zq0 zpz.a -zq9 zq8.a -zqi zqh.a -zqr zqq.a -zr0 zqz.a -zr9 zr8.a -13c9 3kq zrh.a -zrr
zrq.a -zs0 zrz.a -zs9 zs8.a -zsi zsh.a -zsr zsq.a -zt0 zsz.a -zt9 zt8.a -zti zth.a -ztr ztq.a -13f0 3kz ztz.a -zu9
zu8.a -zui zuh.a -zur zuq.a -zv0 zuz.a -zv9 zv8.a -zvi zvh.a -zvr zvq.a -zw0 zvz.a -zw9 zw8.a -13hr 3l8 zwh.a -zwr
zwq.a -zx0 zwz.a -zx9 zx8.a -zxi zxh.a -zxr zxq.a -zy0 zxz.a -zy9 zy8.a -zyi zyh.a -zyr zyq.a -13ki 3lh zyz.a -zz9
zz8.a -zzi zzh.a -zzr zzq.a -1000 zzz.a -1009 1008.a -100i 100h.a -100r 100q.a -1010 100z.a -1019 1018.a -13n9 3lq
101h.a -101r 101q.a -1020 101z.a -1029 1028.a -102i 102h.a -102r 102q.a -1030 102z.a -1039 1038.a -103i 103h.a -103r
103q.a -1430 cz 3lz 103z.a -1049 1048.a -104i 104h.a -104r 104q.a -1050 104z.a -1059 1058.a -105i 105h.a -105r 105q.a
-1060 105z.a -1069 1068.a -13sr 3m8 106h.a -106r 106q.a -1070 106z.a -1079 1078.a -107i 107h.a -107r 107q.a -1080
107z.a -1089 1088.a -108i 108h.a -108r 108q.a -13vi 3mh 108z.a -1099 1098.a -109i 109h.a -109r 109q.a -10a0 109z.a
-10a9 10a8.a -10ai 10ah.a -10ar 10aq.a -10b0 10az.a -10b9 10b8.a -13y9 3mq 10bh.a -10br 10bq.a -10c0 10bz.a -10c9
10c8.a -10ci 10ch.a -10cr 10cq.a -10d0 10cz.a -10d9 10d8.a -10di 10dh.a -10dr 10dq.a -1410 3mz 10dz.a -10e9 10e8.a
-10ei 10eh.a -10er 10eq.a -10f0 10ez.a -10f9 10f8.a -10fi 10fh.a -10fr 10fq.a -10g0 10fz.a -10g9 10g8.a -143r 3n8
10gh.a -10gr 10gq.a -10h0 10gz.a -10h9 10h8.a -10hi 10hh.a -10hr 10hq.a -10i0 10hz.a -10i9 10i8.a -10ii 10ih.a -10ir
10iq.a -146i 3nh 10iz.a -10j9 10j8.a -10ji 10jh.a -10jr 10jq.a -10k0 10jz.a -10k9 10k8.a -10ki 10kh.a -10kr 10kq.a
-10l0 10kz.a -10l9 10l8.a -1499 3nq 10lh.a -10lr 10lq.a -10m0 10lz.a -10m9 10m8.a -10mi 10mh.a -10mr 10mq.a -10n0
10mz.a -10n9 10n8.a -10ni 10nh.a -10nr 10nq.a -14c0 3nz 10nz.a -10o9 10o8.a -10oi 10oh.a -10or 10oq.a -10p0 10oz.a
-10p9 10p8.a -10pi 10ph.a -10pr 10pq.a -10q0 10pz.a -10q9 10q8.a -14er 3o8 10qh.a -10qr 10qq.a -10r0 10qz.a -10r9
10r8.a -10ri 10rh.a -10rr 10rq.a -10s0 10rz.a -10s9 10s8.a -10si 10sh.a -10sr 10sq.a -14ur d8 3oh 10sz.a -10t9 10t8.a
-10ti 10th.a -10tr 10tq.a -10u0 10tz.a -10u9 10u8.a -10ui 10uh.a -10ur 10uq.a -10v0 10uz.a -10v9 10v8.a -14k9 3oq
10vh.a -10vr 10vq.a -10w0 10vz.a -10w9 10w8.a -10wi 10wh.a -10wr 10wq.a -10x0 10wz.a -10x9 10x8.a -10xi 10xh.a -10xr
10xq.a -14n0 3oz 10xz.a -10y9 10y8.a -10yi 10yh.a -10yr 10yq.a -10z0 10yz.a -10z9 10z8.a -10zi 10zh.a -10zr 10zq.a
-1100 10zz.a -1109 1108.a -14pr 3p8 110h.a -110r 110q.a -1110 110z.a -1119 1118.a -111i 111h.a -111r 111q.a -1120
111z.a -1129 1128.a -112i 112h.a -112r 112q.a -14si 3ph 112z.a -1139 1138.a -113i 113h.a -113r 113q.a -1140 113z.a
-1149 1148.a -114i 114h.a -114r 114q.a -1150 114z.a -1159 1158.a -14v9 3pq 115h.a -115r 115q.a -1160 115z.a -1169
1168.a -116i 116h.a -116r 116q.a -1170 116z.a -1179 1178.a -117i 117h.a -117r 117q.a -14y0 3pz 117z.a -1189 1188.a
-118i 118h.a -118r 118q.a -1190 118z.a -1199 1198.a -119i 119h.a -119r 119q.a -11a0 119z.a -11a9 11a8.a -150r 3q8
11ah.a -11ar 11aq.a -11b0 11az.a -11b9 11b8.a -11bi 11bh.a -11br 11bq.a -11c0 11bz.a -11c9 11c8.a -11ci 11ch.a -11cr
11cq.a -153i 3qh 11cz.a -11d9 11d8.a -11di 11dh.a -11dr 11dq.a -11e0 11dz.a -11e9 11e8.a -11ei 11eh.a -11er 11eq.a
-11f0 11ez.a -11f9 11f8.a -1569 3qq 11fh.a -11fr 11fq.a -11g0 11fz.a -11g9 11g8.a -11gi 11gh.a -11gr 11gq.a -11h0
11gz.a -11h9 11h8.a -11hi 11hh.a -11hr 11hq.a -15mi dh 3qz 11hz.a -11i9 11i8.a -11ii 11ih.a -11ir 11iq.a -11j0 11iz.a
-11j9 11j8.a -11ji 11jh.a -11jr 11jq.a -11k0 11jz.a -11k9 11k8.a -15br 3r8 11kh.a -11kr 11kq.a -11l0 11kz.a -11l9
11l8.a -11li 11lh.a -11lr 11lq.a -11m0 11lz.a -11m9 11m8.a -11mi 11mh.a -11mr 11mq.a -15ei 3rh 11mz.a -11n9 11n8.a
-11ni 11nh.a -11nr 11nq.a -11o0 11nz.a -11o9 11o8.a -11oi 11oh.a -11or 11oq.a -11p0 11oz.a -11p9 11p8.a -15h9 3rq
11ph.a -11pr 11pq.a -11q0 11pz.a -11q9 11q8.a -11qi 11qh.a -11qr 11qq.a -11r0 11qz.a -11r9 11r8.a -11ri 11rh.a -11rr
11rq.a -15k0 3rz 11rz.a -11s9 11s8.a -11si 11sh.a -11sr 11sq.a -11t0 11sz.a -11t9 11t8.a -11ti 11th.a -11tr 11tq.a
-11u0 11tz.a -11u9 11u8.a -15mr 3s8 11uh.a -11ur 11uq.a -11v0 11uz.a -11v9 11v8.a -11vi 11vh.a -11vr 11vq.a -11w0
11vz.a -11w9 11w8.a -11wi 11wh.a -11wr 11wq.a -15pi 3sh 11wz.a -11x9 11x8.a -11xi 11xh.a -11xr 11xq.a -11y0 11xz.a
-11y9 11y8.a -11yi 11yh.a -11yr 11yq.a -11z0 11yz.a -11z9 11z8.a -15s9 3sq 11zh.a -11zr 11zq.a -1200 11zz.a -1209
1208.a -120i 120h.a -120r 120q.a -1210 120z.a -1219 1218.a -121i 121h.a -121r 121q.a -15v0 3sz 121z.a -1229 1228.a
-122i 122h.a -122r 122q.a -1230 122z.a -1239 1238.a -123i 123h.a -123r 123q.a -1240 123z.a -1249 1248.a -15xr 3t8
124h.a -124r 124q.a -1250 124z.a -1259 1258.a -125i 125h.a -125r 125q.a -1260 125z.a -1269 1268.a -126i 126h.a -126r
126q.a -16e9 dq 3th 126z.a -1279 1278.a -127i 127h.a -127r 127q.a -1280 127z.a -1289 1288.a -128i 128h.a -128r 128q.a
-1290 128z.a -1299 1298.a -1639 3tq 129h.a -129r 129q.a -12a0 129z.a -12a9 12a8.a -12ai 12ah.a -12ar 12aq.a -12b0
12az.a -12b9 12b8.a -12bi 12bh.a -12br 12bq.a -1660 3tz 12bz.4 -12c3 12ce.4 -12ci 12ch.a -12cr 12cq.9 -12cz 12d2.7
-12d9 12d8.a -12di 12dh.a -12dr 12dq.a -12e0 12dz.a -12e9 12e8.2 -168j 3u8.a -3ui 3uh.a -3ur 3uq.a -3v0 3uz.a -3v9
3v8.a -3vi 3vh.a -3vr 3vq.a -4a0 dz 3vz.a -3w9 3w8.a -3wi 3wh.a -3wr 3wq.a -3x0 3wz.a -3x9 3x8.a -3xi 3xh.a -3xr 3xq.a
-3y0 3xz.a -3y9 3y8.a -4cr e8 3yh.a -3yr 3yq.a -3z0 3yz.a -3z9 3z8.5 13tl.6 -13tr 13tq.a -13u0 13tz.a -13u9 13u8.a
-13ui 13uh.a -13ur 13uq.a -17ui 3zh 13uz.a -13v9 13v8.a -13vi 13vh.a -13vr 13vq.a -13w0 13vz.a -13w9 13w8.a -13wi
13wh.a -13wr 13wq.a -13x0 13wz.a -13x9 13x8.a -17x9 3zq 13xh.a -13xr 13xq.a -13y0 13xz.a -13y9 13y8.a -13yi 13yh.a
-13yr 13yq.a -13z0 13yz.a -13z9 13z8.a -13zi 13zh.a -13zr 13zq.a -1800 3zz 13zz.a -1409 1408.a -140i 140h.a -140r
140q.a -1410 140z.a -1419 1418.a -141i 141h.a -141r 141q.a -1420 141z.a -1429 1428.a -182r 408 142h.a -142r 142q.a
-1430 142z.a -1439 1438.a -143i 143h.a -143r 143q.a -1440 143z.a -1449 1448.a -144i 144h.a -144r 144q.a -185i 40h
144z.a -1459 1458.a -145i 145h.a -145r 145q.a -1460 145z.a -1469 1468.a -146i 146h.a -146r 146q.a -1470 146z.k -1889
1888.k -1480 147z.a -1489 1488.a -148i 148h.a -148r 148q.a -1490 148z.a -1499 1498.a -149i 149h.a -149r 149q.a -18pi
eh 40z 149z.a -14a9 14a8.a -14ai 14ah.a -14ar 14aq.a -14b0 14az.a -14b9 14b8.a -14bi 14bh.a -14br 14bq.a -14c0 14bz.a
-14c9 14c8.a -18dr 418 14ch.a -14cr 14cq.a -14d0 14cz.a -14d9 14d8.a -14di 14dh.a -14dr 14dq.a -14e0 14dz.a -14e9
14e8.a -14ei 14eh.a -14er 14eq.a -18gi 41h 14ez.a -14f9 14f8.a -14fi 14fh.a -14fr 14fq.a -14g0 14fz.a -14g9 14g8.a
-14gi 14gh.a -14gr 14gq.a -14h0 14gz.a -14h9 14h8.a -18j9 41q 14hh.a -14hr 14hq.a -14i0 14hz.a -14i9 14i8.a -14ii
14ih.a -14ir 14iq.a -14j0 14iz.a -14j9 14j8.a -14ji 14jh.a -14jr 14jq.a -18m0 41z 14jz.a -14k9 14k8.a -14ki 14kh.a
-14kr 14kq.a -14l0 14kz.a -14l9 14l8.a -14li 14lh.a -14lr 14lq.a -14m0 14lz.a -14m9 14m8.a -18or 428 14mh.a -14mr
14mq.a -14n0 14mz.a -14n9 14n8.a -14ni 14nh.a -14nr 14nq.a -14o0 14nz.a -14o9 14o8.a -14oi 14oh.a -14or 14oq.a -18ri
42h 14oz.a -14p9 14p8.a -14pi 14ph.a -14pr 14pq.a -14q0 14pz.a -14q9 14q8.a -14qi 14qh.a -14qr 14qq.a -14r0 14qz.a
-14r9 14r8.a -18u9 42q 14rh.a -14rr 14rq.a -14s0 14rz.a -14s9 14s8.a -14si 14sh.a -14sr 14sq.a -14t0 14sz.a -14t9
14t8.a -14ti 14th.a -14tr 14tq.a -18x0 42z 14tz.28 -14w0 14vz.a -14w9 14w8.a -18zr 438 14wh.a -14wr 14wq.a -14x0
14wz.a -14x9 14x8.a -14xi 14xh.a -14xr 14xq.a -14y0 14xz.a -14y9 14y8.a -14yi 14yh.a -14yr 14yq.a -19h9 eq 43h 14yz.a
-14z9 14z8.a -14zi 14zh.a -14zr 14zq.a -1500 14zz.a -1509 1508.a -150i 150h.a -150r 150q.a -1510 150z.a -1519 1518.a
-1959 1958.2i -153r 153q.a -1980 43z 153z.a -1549 1548.a -154i 154h.a -154r 154q.a -1550 154z.a -1559 1558.a -155i
155h.a -155r 155q.a -1560 155z.a -1569 1568.a -19ar 448 156h.a -156r 156q.a -1570 156z.a -1579 1578.a -157i 157h.a
-157r 157q.a -1580 157z.a -1589 1588.a -158i 158h.a -158r 158q.a -19di 44h 158z.a -1599 1598.a -159i 159h.28 -19g9
19g8.k -15c0 15bz.a -15c9 15c8.a -15ci 15ch.a -15cr 15cq.a -15d0 15cz.a -15d9 15d8.a -15di 15dh.a -15dr 15dq.a -19j0
44z 15dz.a -15e9 15e8.a -15ei 15eh.a -15er 15eq.a -15f0 15ez.a -15f9 15f8.a -15fi 15fh.a -15fr 15fq.a -15g0 15fz.a
-15g9 15g8.a -19lr 458 15gh.a -15gr 15gq.2i -19oi 19oh.14 -15k0 15jz.a -15k9 15k8.a -15ki 15kh.a -15kr 15kq.a -15l0
15kz.a -15l9 15l8.a -19r9 45q 15lh.a -15lr 15lq.a -15m0 15lz.a -15m9 15m8.a -15mi 15mh.a -15mr 15mq.a -15n0 15mz.k
-15ni 15nh.a -15nr 15nq.a -1a90 ez 45z 15nz.k -15oi 15oh.a -15or 15oq.1y -19wr 19wq.1o -15s0 15rz.a -15s9 15s8.a -15si
15sh.a -15sr 15sq.a -19zi 46h 15sz.a -15t9 15t8.a -15ti 15th.a -15tr 15tq.a -15u0 15tz.a -15u9 15u8.a -15ui 15uh.a
-15ur 15uq.a -15v0 15uz.a -15v9 15v8.a -1a29 46q 15vh.a -15vr 15vq.a -15w0 15vz.a -15w9 15w8.a -15wi 15wh.a -15wr
15wq.a -15x0 15wz.a -15x9 15x8.a -15xi 15xh.a -15xr 15xq.a -1a50 46z 15xz.a -15y9 15y8.a -15yi 15yh.a -15yr 15yq.a
-15z0 15yz.a -15z9 15z8.a -15zi 15zh.a -15zr 15zq.a -1600 15zz.a -1609 1608.a -1a7r 478 160h.a -160r 160q.a -1610
160z.a -1619 1618.a -161i 161h.a -161r 161q.a -1620 161z.a -1629 1628.a -162i 162h.a -162r 162q.a -1aai 47h 162z.a
-1639 1638.a -163i 163h.a -163r 163q.a -1640 163z.a -1649 1648.a -164i 164h.a -164r 164q.a -1650 164z.a -1659 1658.a
-1ad9 47q 165h.a -165r 165q.a -1660 165z.a -1669 1668.a -166i 166h.a -166r 166q.a -1670 166z.a -1679 1678.a -167i
167h.a -167r 167q.a -1ag0 47z 167z.a -1689 1688.a -168i 168h.a -168r 168q.a -1690 168z.a -1699 1698.a -169i 169h.a
-169r 169q.a -16a0 169z.a -16a9 16a8.a -1air 488 16ah.a -16ar 16aq.a -16b0 16az.a -16b9 16b8.a -16bi 16bh.a -16br
16bq.a -16c0 16bz.a -16c9 16c8.a -16ci 16ch.a -16cr 16cq.a -1b0r f8 48h 16cz.a -16d9 16d8.a -16di 16dh.a -16dr 16dq.a
-16e0 16dz.a -16e9 16e8.a -16ei 16eh.a -16er 16eq.a -16f0 16ez.a -16f9 16f8.a -1ao9 1ao8.k -16g0 16fz.a -16g9 16g8.a
-16gi 16gh.a -16gr 16gq.a -16h0 16gz.a -16h9 16h8.a -16hi 16hh.a -16hr 16hq.a -1ar0 48z 16hz.a -16i9 16i8.1y -16k0
16jz.a -16k9 16k8.a -1atr 498 16kh.a -16kr 16kq.a -16l0 16kz.a -16l9 16l8.a -16li 16lh.a -16lr 16lq.a -16m0 16lz.a
-16m9 16m8.u -1awi 1awh.14 -16o0 16nz.a -16o9 16o8.a -16oi 16oh.a -16or 16oq.a -16p0 16oz.a -16p9 16p8.a -1az9 49q
16ph.a -16pr 16pq.a -16q0 16pz.a -16q9 16q8.a -16qi 16qh.a -16qr 16qq.a -16r0 16qz.a -16r9 16r8.a -16ri 16rh.a -16rr
16rq.a -1b20 49z 16rz.a -16s9 16s8.a -16si 16sh.a -16sr 16sq.a -16t0 16sz.a -16t9 16t8.a -16ti 16th.a -16tr 16tq.a
-16u0 16tz.a -16u9 16u8.a -1b4r 1b4q.1o -16w0 16vz.a -16w9 16w8.a -16wi 16wh.a -16wr 16wq.a -1b7i 4ah 16wz.a -16x9
16x8.a -16xi 16xh.a -16xr 16xq.a -16y0 16xz.a -16y9 16y8.a -16yi 16yh.a -16yr 16yq.a -16z0 16yz.a -16z9 16z8.a -1ba9
4aq 16zh.a -16zr 16zq.a -1700 16zz.a -1709 1708.a -170i 170h.a -170r 170q.a -1710 170z.a -1719 1718.a -171i 171h.a
-171r 171q.a -1bsi fh 4az 171z.a -1729 1728.a -172i 172h.a -172r 172q.a -1730 172z.a -1739 1738.a -173i 173h.a -173r
173q.a -1740 173z.a -1749 1748.a -1bfr 4b8 174h.a -174r 174q.a -1750 174z.a -1759 1758.a -175i 175h.a -175r 175q.a
-1760 175z.a -1769 1768.a -176i 176h.a -176r 176q.a -1bii 4bh 176z.a -1779 1778.a -177i 177h.a -177r 177q.a -1780
177z.a -1789 1788.a -178i 178h.a -178r 178q.a -1790 178z.a -1799 1798.a -1bl9 4bq 179h.a -179r 179q.a -17a0 179z.a
-17a9 17a8.a -17ai 17ah.a -17ar 17aq.a -17b0 17az.a -17b9 17b8.a -17bi 17bh.a -17br 17bq.a -1bo0 4bz 17bz.a -17c9
17c8.a -17ci 17ch.a -17cr 17cq.a -17d0 17cz.a -17d9 17d8.a -17di 17dh.a -17dr 17dq.a -17e0 17dz.a -17e9 17e8.a -1bqr
4c8 17eh.a -17er 17eq.a -17f0 17ez.a -17f9 17f8.a -17fi 17fh.a -17fr 17fq.a -17g0 17fz.a -17g9 17g8.a -17gi 17gh.a
-17gr 17gq.a -1bti 4ch 17gz.a -17h9 17h8.a -17hi 17hh.a -17hr 17hq.a -17i0 17hz.1o -1bw9 1bw8.k -17k0 17jz.a -17k9
17k8.a -17ki 17kh.a -17kr 17kq.a -17l0 17kz.a -17l9 17l8.a -17li 17lh.a -17lr 17lq.a -1bz0 4cz 17lz.a -17m9 17m8.a
-17mi 17mh.a -17mr 17mq.a -17n0 17mz.a -17n9 17n8.a -17ni 17nh.a -17nr 17nq.a -17o0 17nz.a -17o9 17o8.a -1c1r 4d8
17oh.a -17or 17oq.a -17p0 17oz.a -17p9 17p8.a -17pi 17ph.a -17pr 17pq.a -17q0 17pz.a -17q9 17q8.a -17qi 17qh.a -17qr
17qq.a -1ck9 fq 4dh 17qz.a -17r9 17r8.a -17ri 17rh.a -17rr 17rq.a -17s0 17rz.a -17s9 17s8.a -17si 17sh.a -17sr 17sq.a
-17t0 17sz.a -17t9 17t8.a -1c79 4dq 17th.a -17tr 17tq.a -17u0 17tz.a -17u9 17u8.a -17ui 17uh.1o -1ca0 4dz 17vz.a -17w9
17w8.a -17wi 17wh.a -17wr 17wq.a -17x0 17wz.a -17x9 17x8.a -17xi 17xh.a -17xr 17xq.a -17y0 17xz.a -17y9 17y8.a -1ccr
4e8 17yh.a -17yr 17yq.a -17z0 17yz.a -17z9 17z8.a -17zi 17zh.a -17zr 17zq.a -1800 17zz.a -1809 1808.a -180i 180h.a
-180r 180q.a -1cfi 4eh 180z.a -1819 1818.a -181i 181h.a -181r 181q.a -1820 181z.a -1829 1828.a -182i 182h.a -182r
182q.a -1830 182z.a -1839 1838.a -1ci9 4eq 183h.a -183r 183q.a -1840 183z.a -1849 1848.a -184i 184h.a -184r 184q.a
-1850 184z.a -1859 1858.a -185i 185h.a -185r 185q.a -1cl0 4ez 185z.a -1869 1868.a -186i 186h.a -186r 186q.a -1870
186z.a -1879 1878.a -187i 187h.a -187r 187q.a -1880 187z.a -1889 1888.a -1cnr 4f8 188h.a -188r 188q.a -1890 188z.a
-1899 1898.a -189i 189h.a -189r 189q.a -18a0 189z.a -18a9 18a8.a -18ai 18ah.a -18ar 18aq.a -1cqi 4fh 18az.a -18b9
18b8.a -18bi 18bh.a -18br 18bq.a -18c0 18bz.a -18c9 18c8.a -18ci 18ch.a -18cr 18cq.a -18d0 18cz.a -18d9 18d8.a -1ct9
1ct8.2s -1dc0 fz 4fz 18fz.a -18g9 18g8.a -18gi 18gh.a -18gr 18gq.a -18h0 18gz.a -18h9 18h8.a -18hi 18hh.a -18hr 18hq.a
-18i0 18hz.a -18i9 18i8.a -1cyr 4g8 18ih.a -18ir 18is.8 -18j0 18iz.a -18j9 18j8.a -18ji 18jh.a -18jr 18jq.a -18k0
18jz.a -18k9 18k8.a -18ki 18kh.a -18kr 18kq.a -1d1i 4gh 18kz.a -18l9 18l8.8 -18lg.4 18me.4 -18mi 18mh.3 -18mk 18mv.5
-18n0 18n4.5 -18n9 18n8.a -1d49 4gq 18nh.b 1.5 1 -18nz 18nz.2 1.2 1.4 -18o9 18o8.a -18oi 18oh.a -18or 18oq.a -18p0
18oz.a -18p9 18p8.a -18pi 18ph.a -18pr 18pq.a -1d70 4gz 18pz.a -18q9 18q8.a -18qi 18qh.a -18qr 18qq.l g.d -18s0 18rz.a
-18s9 18s8.a -1d9r 4h8 18sh.a -18sr 18sq.a -18t0 18sz.a -18t9 18t8.a -18ti 18th.a -18tr 18tq.a -18u0 18tz.a -18u9
18u8.a -18ui 18uh.a -18ur 18uq.a -1dci 1dch.14 -18w0 18vz.14 -18x0 18wz.a -18x9 18x8.a -1df9 4hq 18xh.a -18xr 18xq.a
-18y0 18xz.a -18y9 18y8.a -18yi 18yh.a -18yr 18yq.a -18z0 18yz.a -18z9 18z8.a -18zi 18zh.a -18zr 18zq.a -1di0 4hz
18zz.a -1909 1908.a -190i 190h.a -190r 190q.a -1910 190z.a -1919 1918.a -191i 191h.a -191r 191q.a -1920 191z.a -1929
1928.a -1dkr 4i8 192h.a -192r 192q.2 2.6 -1930 192z.a -1939 1938.a -193i 193h.a -193r 193q.a -1940 193z.8 -1947 194d
-194e.2 -4yr g8 4ih 1957.2 -1959 1958.a -195i 195h.a -195r 195q.a -1960 195z.a -1969 196e.4 -196i 196h.a -196r 196q.a
-1970 196z.a -1979 1978.a -1dq9 1dq8.7 1.c -1980 197z.7 1.2 -1989 1988.2 4.4 -198i 198h 1.8 -198r 198q.a -1990 198z.14
-1dt0 1dsz.25 2 -19c0 19c0.9 -19c9 19c8.a -1dvr 4j8 19ch.a -19cr 19cq.a -19d0 19cz.a -19d9 19d8.a -19di 19dh.a -19dr
19dq.a -19e0 19dz.a -19e9 19e8.a -19ei 19eh.a -19er 19eq.a -1dyi 4jh 19ez.a -19f9 19f8.a -19fi 19fh.a -19fr 19fq.a
-19g0 19fz.a -19g9 19g8.a -19gi 19gh.a -19gr 19gq 3.6 -19h0 19h1.6 -19h7 19h8.6 2.2 -1e19 4jq 19hh 3.6 -19hr 19hq 1.7
-19hz 19i8 -19i9 19i8.4 2.4 -19ii 19ih.8 1 -19ir 19iq.a -19j0 19iz.a -19j9 19j8.5 1.4 -19ji 19jh.a -19jr 19jq.5 1.2 1
-1e40 4jz 19jz.a -19k9 19k8.4 2.4 -19ki 19kh.a -19kr.4 19ll.6 -19lr 19lq.a -19m0 19lz.a -19m9 19m8.a -1e6r 4k8 19mh.a
-19mr 19mq.1e -19o0 19nz.a -19o9 19o8.a -19oi 19oh.7 -19oo 19os.3 4 -1e9i 4kh 19oz.a -19p9 19p8.a -19pi 19ph.a -19pr
19pq.a -19q0 19pz.4 3.3 -19q9 19q8.a -19qi 19qh.a -19qr 19qq.a -19r0 19qz.a -19r9 19r8.a -1ec9 4kq 19rh.a -19rr 19rq.a
-19s0 19rz.a -19s9 19s8.5 1.4 -19si 19sh.9 -19sq 19ss -19st.4 -51i gh 4kz 19tz.a -19u9 19u8.10 -19v2.2 -4l9 4l8.8
19ye.4 -19yi 19yh.k -1eki 1ekh.5 3.c -19zi 19zh.a -19zr 19zq.a -1a00 19zz.a -1a09 1a08.7 -1a0f.2 1a0s.8 -1a10 1a0z.a
-1a19 1a18.a -1en9 4lq 1a1l.6 -1a1r 1a1q.a -1a20 1a1z.a -1a29 1a28.a -1a2i 1a2q -1a2r 1a2q.a -1a30 1a2z.a -1a39 1a38.9
-1a3h 1a3l.6 -1a3r 1a3q.a -1eq0 4lz 1a3z.a -1a49 1a48.a -1a4i 1a4h.7 -1a4o 1a4s.8 -1a50 1a4z.a -1a59 1a58.a -1a5i
1a5h.2 1.7 -1a5r 1a5q.a -1a60 1a5z.a -1a69 1a68.a -1esr 4m8 1a6l.6 -1a6r 1a6q.8 -1a6y.5 1a7z.a -1a89 1a88.a -1a8i
1a8h.a -1a8r 1a8q.a -1evi 4mh 1a8z.a -1a99 1a98.a -1a9i 1a9h.a -1a9r 1a9q.a -1aa0 1a9z.a -1aa9 1aa8.a -1aai 1aah.a
-1aar 1aaq.a -1ab0 1aaz.a -1ab9 1ab8.a -1ey9 4mq 1abh.a -1abr 1abq.8 -1aby 1abz.a -1ac9 1ace.4 -1aci 1ach.a -1acr
1acq.a -1ad0 1acz.a -1ad9 1ad8.2 4.4 -1adi 1adh.a -1adr 1adq.a -1f10 4mz 1adz.a -1ae9 1ae8.2 4.4 -1aei 1aeh.a -1aer
1aeq.q -1afe 1afl.6 -1afr 1afq.a -1ag0 1afz.a -1ag9 1ag8.a -1f3r 4n8 1agh.a -1agr 1agq.6 -1agw 1ah6.3 -1ah9 1ah8.9
-1ahh 1ahh.a -1ahr 1ahq.5 1.4 -1ai0 1ahz.3 1.2 1.3 -1ai9 1ai8.8 1 -1aii 1aih.a -1air 1aiq.4 1.5 -1fn9 gq 4nh 1aiz.2
1.2 -1aj4.7 1aks.8 -1al0 1akz.a -1al9 1al8.a -1f99 4nq 1alh.a -1alr 1alq.a -1am0 1alz.a -1am9 1am8.a -1ami 1amh.a
-1amr 1amq.a -1an0 1amz.a -1an9 1an8.a -1ani 1anh.a -1anr 1anq.a -1fc0 4nz 1anz.a -1ao9 1ao8.a -1aoi 1aoh.a -1aor
1aoq.a -1ap0 1aoz.a -1ap9 1ap8.a -1api 1aph.a -1apr 1apq.a -1aq0 1apz.a -1aq9 1aq8.a -1fer 4o8 1aqh.a -1aqr 1aqq.a
-1ar0 1aqz.a -1ar9 1ar8.a -1ari 1arh.a -1arr 1arq.a -1as0 1arz.a -1as9 1as8.a -1asi 1ash.3 -1ask 1ass.8 -1fhi 4oh
1asz.a -1at9 1at8.4 -1atc 1atl.6 -1atr 1atq.2 -1ats.2 1aue.4 -1aui 1auh.2 1.7 -1aur 1auq.a -1av0 1auz.a -1av9 1av8.a
-1fk9 4oq 1avh.5 1.9 -1avv.7 1axl.6 -1axr 1axs 1.6 -1fn0 4oz 1axz.a -1ay9 1ay8.a -1ayi 1ayh.a -1ayr 1ayq.8 1 -1az0
1ayz 3 2.3 -1az9 1az8.a -1azi 1azh.a -1azr 1azr.9 -1b00 1azz.a -1b09 1b08.a -1fpr 4p8 1b0h.a -1b0r 1b0q.a -1b10 1b0z.a
-1b19 1b18.a -1b1i 1b1h.3 -1b1k 1b1r.9 -1b20.4 -4pi 4ph 1b37.j 1.2 -1b3r 1b3v.5 -1b40 1b3z.a -1b49 1b48.a -1b4i 1b4h.8
-1b4p 1b4r.9 -1b50 1b4z.a -1b59 1b58.8 -1fv7 4pq 1b5k -1b5l.3 1b7a.w -1gf0 gz 4pz 1b7z.a -1b89 1b88.a -1b8i 1b8h.4 4.2
-1b8r 1b8q.a -1b90 1b8z.8 -1b97 1b98.a -1b9i 1b9h.a -1b9r 1b9q.a -1ba0 1b9z.a -1ba9 1ba8.a -1g0r 1g0r.2 5.8 1.3 1.t
2.3 4 -1bc0 1bbz.9 -1bc8 1bce.4 -1bci 1bch.5 -1bcm 1bcs.8 -1g3i 4qh 1bcz.a -1bd9 1bd8.a -1bdi 1bdh.a -1bdr 1bdq.a
-1be0 1bdz.a -1be9 1be8.6 -1bee.3 1bf7.2 -1bf9 1bf8.a -1g69 1g68.k -1bg0 1bfz.7 -1bg6 1bg9.9 -1bgi 1bgh.3 -1bgk 1bgs.8
-1bh0 1bgz.a -1bh9 1bh8.a -1bhi 1bhh.a -1bhr 1bhq.a -1g90 4qz 1bhz.6 3 -1bi9 1bi8.a -1bii 1bih.a -1bir 1biq.8 -1biy
1biz.a -1bj9 1bj8.a -1bji 1bjh.7 -1bjo 1bjs.8 -1bk0 1bjz.a -1bk9 1bk8.8 -1gbp 4r8 1bkm.4 -1bkq.2 1bl0.7 -1bl7.7 -4ri
4rh 1bn7.2 -1bn9 1bn8.a -1bni 1bnh.1p -1ggq 1gi8.1f -1gjn 1gjz.1f 7.16 -1gmr 1gmq.4 8.a -1h4l h8.2 4ss.8 -4t0 4sz.2
1c2e.4 -1c2i 1c2h.a -1c2r 1c2q.a -1c30 1c2z.7 1.2 -1c39 1c38.a -1c3i 1c3h.a -1c3r 1c3q.a -1c40 1c3z.a -1c49 1c49.3 2.2
-1gxp 4t8.8 1c6e.4 -1c6i 1c6h.a -1c6r 1c6q.a -1h0i 4th 1c6z.a -1c79 1c78.6 -1c7e 1c7l.6 -1c7r 1c7q.a -1c80 1c7z.a
-1c89 1c88.a -1c8i 1c8h.6 -1c8n.2 1c97.2 -1c99 1c98.a -1h39 4tq 1c9h.a -1c9r 1c9q.4 -1c9u.4 1cas.8 -1cb0 1caz.a -1cb9
1cb8.a -1cbi.2 -4u0 4tz 1cbz.a -1cc9 1cc8.a -1cci 1cch.3 -1cck 1ccs.8 -1cd0 1ccz.a -1cd9 1cd8.a -1cdi 1cdh.a -1cdr
1cdq.a -1ce0 1cdz.a -1ce9 1ce8.a -1h8r 4u8 1ceh.a -1cer 1ceu.6 -1cf0 1cez.a -1cf9 1cf8.a -1cfi 1cfh.a -1cfr 1cfz -1cg0
1cfz.a -1cg9 1cg8.a -1cgi 1cgh.a -1cgr 1cgq.a -1hbi 4uh 1cgz.a -1ch9 1ch8.a -1chi 1chh.7 -1cho 1chx -1chy 1chz.a -1ci9
1ci8.a -1cii 1cih.5 -1cim 1cis.8 -1cj0 1ciz.2 6.c -1he9 1he8.k -1ck0 1cjz.a -1ck9 1ck8.a -1cki 1ckh 1.8 -1ckr 1ckq.a
-1cl0 1cl7.2 -1cl9 1cl8.a -1cli 1clh.a -1clr 1clq.a -1hyi hh 4uz 1clz.7 -1cm6 1cme.4 -1cmi 1cmh.a -1cmr 1cmq.a -1cn0
1cmz.a -1cn9 1cn8.a -1cni 1cnh.a -1cnr 1cnq.a -1co0 1cnz.a -1co9 1co8.a -1hjr 4v8 1coh.a -1cor 1coq.2 1.7 -1cp0 1coz.a
-1cp9 1cp8.3 -1cpb 1cpl.6 -1cpr 1cpq.a -1cq0 1cpz.2 1.7 -1cq9 1cq8.a -1cqi 1cqh.a -1cqr 1cqq.a -1hmi 4vh 1cqz.7
-1cr6.7 1css.7 -1csz 1csz 1.4 1.3 -1ct9 1ct8.a -1hp9 4vq 1cth.2 1.7 -1ctr 1ctq.4 -1ctu 1ctz.a -1cu9 1cu8.a -1cui
1cuh.a -1cur 1cuq.a -1cv0 1cuz.a -1cv9 1cv8.9 -1cvh 1cvl.a -1hru 4vz 1cvz.4 1.5 -1cw9 1cw8.3 2.2 2 -1cwi 1cwh.a -1cwr
1cwq.a -1cx0 1cwz 1.7 -1cx8 1cx8.2 1.5 1 -1cxi 1cxh.9 -1cxq 1cxr.2 2.3 -1cxy 1cxz 6 -1cy7 1cyb.7 -1hur 4w8 1cyj.7
-1cyq 1cys.5 -1cyx.8 -4wi 4wh.6 1d2e.4 -1d2i 1d2h.a -1d2r 1d2q.a -1d30 1d2z.a -1d39 1d38.a -1i09 4wq 1d3h.a -1d3r
1d3q.a -1d40 1d3z.a -1d49 1d48.a -1d4i 1d4h.8 1 -1d4r 1d4q.4 -1d4u.3 1d5l.6 -1d5r 1d5q.a -1i30 4wz 1d5z.a -1d69 1d68.a
-1d6i 1d6h.a -1d6r 1d6q.a -1d70 1d6z.a -1d79 1d78.6 -1d7e 1d7l.6 -1d7r 1d7q.4 -1d7u.2 -4x9 4x8.a -5f9 hq 4xh.5 1dbz.a
-1dc9 1dc8.a -1dci 1dch.a -1dcr 1dcq.a -1dd0 1dcz.a -1dd9 1dd8.4 2.4 -1ib9 4xq 1ddh.a -1ddr 1ddq.a -1de0 1ddz.a -1de9
1de8.4 -1dec.3 1df7.2 -1df9 1df8.a -1dfi 1dfh.a -1dfr 1dfq.a -1ie0 4xz 1dfz.a -1dg9 1dg8.a -1dgi 1dgh.a -1dgr 1dgq.7
-1dgx 1dh7.2 -1dh9 1dh8.8 -1dhg 1dhl.6 -1dhr 1dhq.7 -1dhx.2 1die.4 -1igr 4y8 1dih.a -1dir 1diq.a -1dj0 1diz.a -1dj9
1dj8.a -1dji 1djh.a -1djr 1djq.4 -1dju 1djz.a -1dk9.3 -4yi 4yh.3 1dll.6 -1dlr 1dlq.a -1dm0 1dlz.a -1dm9 1dm8 2.7 -1dmi
1dmh.8 -1dmp 1dms.8 -1dn0 1dmz.a -1dn9 1dn8.5 -1im4 4yq.6 -4yw 4z3.5 1drz.a -1ds9 1ds8.a -1irr 4z8 1dsh.a -1dsr 1dsq.a
-1dt0 1dsz.a -1dt9 1dt8.a -1dti.6 -4zi 4zh.5 1dvz.a -1dw9 1dw8.a -1dwi 1dwh.a -1dwr 1dwq.a -1dx0 1dwz.a -1dx9 1dx8.a
-1ix9 4zq 1dxh.a -1dxr 1dxq.a -1dy0 1dxz.3 -1dy2 1dyd.5 -1dyi 1dyh.3 2 2.2 -1dyr 1dyq.6 1.2 -1dyz 1dyz.a -1dz9 1dz8.a
-1dzi 1dzh.a -1dzr 1dzr.2 2.5 -1ji0 hz 4zz 1dzz.7 -1e06 1e0e.4 -1e0i 1e0h.6 -1e0n.7 1e2e.4 -1j2r 508 1e2h.4 2.4 -1e2r
1e2q.a -1e30 1e2z.a -1e39 1e38.a -1e3i 1e3h.a -1e3r 1e3q.2 2.6 -1e40 1e3z.5 -1e44.3 1e4s.8 -1j5i 50h 1e4z.a -1e59
1e58.a -1e5i 1e5h.a -1e5r 1e5q.y -1e6l 1e6s.8 -1e70 1e6z.a -1e79 1e78.a -1j89 50q 1e7h.a -1e7r 1e7q.a -1e80 1e7z.a
-1e89 1e88.a -1e8i 1e8h.a -1e8r 1e8q.5 -1e8v 1e97.2 -1e99 1e98.a -1e9i 1e9h.a -1e9r 1e9q.a -1jb0 50z 1e9z.a -1ea9
1ea8.v -1eb0.5 -519 518.a -51i 51h.a -51r 51q 1ehl.6 -1ehr 1ehq.3 1.6 -1ei0 1ehz.a -1ei9 1ei8.a -1eii 1eih.a -1eir
1eiq.9 -1eiz 1eiz.a -1ej9 1ej8.4 -1ejc 1ejl.6 -1ejr 1ejq.a -1jm0 51z 1ejz.a -1ek9 1ek8.3 3.4 -1eki 1ekh.a -1ekr 1ekq.a
-1el0 1ekz.8 -1el7 1el8.a -1eli 1elh.a -1elr 1elq.2 1.7 -1em0 1elz.7 -1em6 -529 528.7 1enz.7 1.2 -1eo9 1eo9.9 -1eoi
1eoh.a -1eor 1eoq.a -1k9r i8 52h 1eoz.a -1ep9 1ep8.5 3 -1eph 1eph.2 1.7 -1epr 1epq.2 -1eps 1epz.a 6.6 1.2 1.y -1ju9
1ju8.3 1.2 1.6 -1ert 1erz.a -1es9.7 -530 52z.a -539 538.a -53i 53h.5 1ezz.a -1f09 1f08.a -1f0i 1f0h.5 -1f0m.3 -53r
53q.5 2.3 -540 53z.5 1f57 -1f58.2 1f5l.6 -1f5r 1f5q.u -1kar 1kaq.e d.x -1f80 1f7z.a -1f89 1f88.a -1f8i 1f8h.a -1f8r
1f8q.a -1kdi 54h 1f8z.a -1f99 1f98.a -1f9i 1f9h.a -1f9r 1f9q.a -1fa0 1f9z.a -1fa9 1fa8.a -1fai 1fah.a -1far 1faq.a
-1fb0 1faz.a -1fb9 1fb8.a -1kg9 54q 1fbh.a -1fbr 1fbq.a -1fc0 1fbz.a -1fc9 1fc8.a -1fci 1fch.a -1fcr 1fcq.a -1fd0
1fcz.a -1fd9 1fd8.a -1fdi 1fdh.a -1fdr 1fdq.a -1l1i ih 54z 1fdz.a -1fe9 1fe8.a -1fei 1feh.a -1fer 1feq.a -1ff0 1fez.a
-1ff9 1ff8.a -1ffi 1ffh.a -1ffr 1ffq.a -1fg0 1ffz.a -1fg9 1fg8.a -1klr 558 1fgh.a -1fgr 1fgq.a -1fh0 1fgz.a -1fh9
1fh8.a -1fhi 1fhh.a -1fhr 1fhq.a -1fi0 1fhz.a -1fi9 1fi8.a -1fii 1fih.k -1koi 1koh.14 -1fk0 1fjz.a -1fk9 1fk8.a -1fki
1fkh.a -1fkr 1fkq.a -1fl0 1fkz.a -1fl9 1fl8.a -1kr9 55q 1flh.a -1flr 1flq.a -1fm0 1flz.a -1fm9 1fm8.a -1fmi 1fmh.a
-1fmr 1fmq.a -1fn0 1fmz.a -1fn9 1fn8.a -1fni 1fnh.a -1fnr 1fnq.a -1ku0 55z 1fnz.a -1fo9 1fo8.a -1foi 1foh.a -1for
1foq.a -1fp0 1foz.a -1fp9 1fp8.a -1fpi 1fph.a -1fpr 1fpq.a -1fq0 1fpz.a -1fq9 1fq8.a -1kwr 568 1fqh.a -1fqr 1fqq.a
-1fr0 1fqz.a -1fr9 1fr8.a -1fri 1frh.a -1frr 1frq.a -1fs0 1frz.a -1fs9 1fs8.a -1fsi 1fsh.a -1fsr 1fsq.a -1kzi 56h
1fsz.a -1ft9 1ft8.a -1fti 1fth.a -1ftr 1ftq.a -1fu0 1ftz.a -1fu9.5 -56r 56q.6 1fws.8 -1fx0 1fwz.a -1fx9 1fx8.a -1fxi
1fxh.a -1fxr 1fxq.a -1l50 56z 1fxz.a -1fy9 1fy8.a -1fyi 1fyh.a -1fyr 1fyq.a -1fz0 1fyz.a -1fz9 1fz8.a -1fzi 1fzh.3 1.5
-1fzq.2 1fzz.a -1g09 1g08.a -1l7r 578 1g0h.a -1g0r 1g0q.a -1g10 1g0z.a -1g19 1g18.a -1g1i 1g1h.a -1g1r 1g1q.a -1g20
1g1z.a -1g29 1g28.a -1g2i 1g2h.a -1g2r 1g2q.a -1lt9 iq 57h 1g2z.a -1g39 1g38.a -1g3i 1g3h.a -1g3r 1g3q.a -1g40 1g3z.a
-1g49 1g48.a -1g4i 1g4h.a -1g4r 1g4q.6 -1g4w.2 -57r 57q.a -580 57z.a -589 588.a -58i 58h.a -58r 58q.a -590 58z.a -599
598.a -59i 59h.a -59r 59q.a -5t0 iz 59z.a -5a9 5a8.a -5ai 5ah.a -5ar 5aq.a -5b0 5az.a -5b9 5b8.a -5bi 5bh.a -5br 5bq.a
-5c0 5bz.a -5c9 5c8.a -5vr j8 5ch.a -5cr 5cq.a -5d0 5cz.a -5d9 5d8.a -5di 5dh.a -5dr 5dq.a -5e0 5dz.a -5e9 5e8.2
1hys.8 -1hz0 1hyz.a -1hz9 1hz8.a -1hzi 1hzh.a -1hzr 1hzq.a -1i00 1hzz.a -1i09 1i08.a -1i0i 1i0h.a -1i0r 1i0q.a -1nfi
5eh 1i0z.a -1i19 1i18 -1i19 1i1l.6 -1i1r 1i1q.a -1i20 1i1z.a -1i29 1i28.a -1i2i 1i2h.a -1i2r 1i2q.a -1i30 1i2z.a -1i39
1i38.a -1ni9 5eq 1i3h.a -1i3r 1i3q.a -1i40 1i3z.a -1i49 1i48.a -1i4i 1i4h.a -1i4r 1i4q.a -1i50 1i4z.a -1i59 1i58.a
-1i5i 1i5h.a -1i5r 1i5q.a -1o4i jh 5ez 1i5z.a -1i69 1i68.a -1i6i 1i6h.a -1i6r 1i6q.a -1i70 1i6z.a -1i79 1i78.a -1i7i
1i7h.a -1i7r 1i7q.a -1i80 1i7z.a -1i89 1i88.a -1nnr 5f8 1i8h.a -1i8r 1i8q.a -1i90 1i8z.a -1i99 1i98.a -1i9i 1i9h.a
-1i9r 1i9q.a -1ia0 1i9z.a -1ia9 1ia8.a -1iai 1iah.a -1iar 1iaq.a -1nqi 5fh 1iaz.a -1ib9 1ib8.a -1ibi 1ibh.a -1ibr
1ibq.a -1ic0 1ibz.a -1ic9 1ic8.a -1ici 1ich.a -1icr 1icq.a -1id0 1icz.a -1id9 1id8.a -1nt9 5fq 1idh.a -1idr 1idq.a
-1ie0 1idz.a -1ie9 1ie8.a -1iei 1ieh.a -1ier 1ieq.a -1if0 1iez.a -1if9 1if8.a -1ifi 1ifh.a -1ifr 1ifq.a -1nw0 5fz
1ifz.a -1ig9 1ig8.a -1igi 1igh.a -1igr 1igq.a -1ih0 1igz.a -1ih9 1ih8.a -1ihi 1ihh.a -1ihr 1ihq.a -1ii0 1ihz.a -1ii9
1ii8.a -1nyr 5g8 1iih.a -1iir 1iiq.a -1ij0 1iiz.a -1ij9 1ij8.a -1iji 1ijh.a -1ijr 1ijq.a -1ik0 1ijz.a -1ik9 1ik8.a
-1iki 1ikh.a -1ikr 1ikq.a -1o1i 5gh 1ikz.a -1il9 1il8.a -1ili 1ilh.a -1ilr 1ilq.a -1im0 1ilz.a -1im9 1im8.a -1imi
1imh.a -1imr 1imq.a -1in0 1imz.a -1in9 1in8.a -1o49 5gq 1inh.a -1inr 1inq.a -1io0 1inz.a -1io9 1io8.a -1ioi 1ioh.a
-1ior 1ioq.a -1ip0 1ioz.a -1ip9 1ip8.a -1ipi 1iph.a -1ipr 1ipq.a -1o70 5gz 1ipz.a -1iq9 1iq8.a -1iqi 1iqh.a -1iqr
1iqq.a -1ir0 1iqz.a -1ir9 1ir8.a -1iri 1irh.a -1irr 1irq.a -1is0 1irz.a -1is9 1is8.5 1.4 -1o9r 5h8 1ish.5 -1ism.9 -619
jq 5hh.a -5hr 5hq.a -5i0 5hz.a -5i9 5i8.a -5ii 5ih.a -5ir 5iq.8 -5iy 5iz.6 2.2 -5j9 5j8.a -5ji 5jh.a -5jr 5jq.a -640
jz 5jz.6 2.2 -5k9 5k8.4 2.4 -5ki 5kh.4 1 1 1 -5kr 5kr.9 -5l0 5kz.a -5l9 5l8.a -5li 5lh.2 2.6 -5lr 5lq.a -5m0 5lz.a
-5m9 5m8.a -66r k8 5mh.a -5mr 5mq.7 1.2 -5n0 5mz.a -5n9 5n8.3 1.6 -5ni 5nh.8 -5np 5nq.6 1.3 -5o0 5nz.a -5o9 5o8.6 2.2
-5oi 5oh 1.8 -5or 5oq 1.8 -69i kh 5oz.a -5p9 5p8.a -5pi 5ph.a -5pr 5pq.2 2.6 -5q0 5pz.a -5q9 5q8.a -5qi 5qh.a -5qr
5qq.a -5r0 5qz.a -5r9 5r8.3 1 1lll.6 -1llr 1llq.a -1lm0 1llz.a -1lm9 1lm8.a -1lmi 1lmh.a -1lmr 1lmq.a -1rz9 kq 5rh
1lmz.a -1ln9 1ln8.a -1lni 1lnh.a -1lnr 1lnq.a -1lo0 1lnz.a -1lo9 1lo8.u -1lp0 1loz.a -1lp9 1lp8.a -1rh9 5rq 1lph.a
-1lpr 1lpq.a -1lq0 1lpz.a -1lq9 1lq8.a -1lqi 1lqh.a -1lqr 1lqq.a -1lr0 1lqz.a -1lr9 1lr8.a -1lri 1lrh.a -1lrr 1lrq.a
-1rk0 5rz 1lrz.a -1ls9 1ls8.a -1lsi 1lsh.a -1lsr 1lsq.a -1lt0 1lsz.a -1lt9 1lt8.a -1lti 1lth.a -1ltr 1ltq.a -1lu0
1ltz.a -1lu9 1lu8.a -1rmr 5s8 1luh.a -1lur 1luq.a -1lv0 1luz.a -1lv9 1lv8.a -1lvi 1lvh.k -1lw0 1lvz.a -1lw9 1lw8.a
-1lwi 1lwh.a -1lwr 1lwq.a -1rpi 5sh 1lwz.a -1lx9 1lx8.a -1lxi 1lxh.a -1lxr 1lxq.a -1ly0 1lxz.a -1ly9 1ly8.a -1lyi
1lyh.a -1lyr 1lyq.a -1lz0 1lyz.k -1rs9 1rs8.k -1m00 1lzz.7 -1m06.7 -5t0 5sz.a -5t9 5t8.a -5ti 5th.5 -5tm -l0 kz 5tz.a
-5u9 5u8.a -5ui 5uh.a -5ur 5uq.3 -5ut 5v7.2 -5v9 5v8.a -5vi 5vh.a -5vr 5vq.a -5w0 5vz.a -5w9 5w8.a -6hr l8 5wh.a -5wr
5wq.a -5x0 5wz.a -5x9 5x8.a -5xi 5xh.a -5xr 5xq.a -5y0 5xz.a -5y9 5y8.a -5yi 5yh.8 -5yp 5ys.8 -6ki lh 5yz.a -5z9 5z8.a
-5zi 5zh.a -5zr 5zq.a -600 5zz.a -609 608.a -60i 60h.a -60r 60q.a -610 60z.a -619 618.a -6n9 lq 61h.a -61r 61q.a -620
61z.a -629 628.a -62i 62h.a -62r 62q.a -630 62z.a -639 638.a -63i 63h.a -63r 63q.a -6q0 lz 63z.a -649 648.a -64i 64h.a
-64r 64q.a -650 64z.a -659 658.a -65i 65h.a -65r 65q.u -6sr m8 66h.a -66r 66q.a -670 66z.a -679 678.a -67i 67h.a -67r
67q.1e -6vi mh 68z.a -699 698.a -69i 69h.a -69r 69q.a -6a0 69z.a -6a9 6a8.a -6ai 6ah.k -6b0 6az.k -6y9 mq 6bh.a -6br
6bq.a -6c0 6bz.a -6c9 6c8.a -6ci 6ch.a -6cr 6cq.a -6d0 6cz.a -6d9 6d8.6 jgvd u.1s -jgy0 jgxz.w -jgyv jh2e.14 -jh3i
jh3h.2s -jh69 jh68.2s -jnmi 6dh.a -6dr 6dq.a -710 mz 6dz.a -6e9 6e8.7 1rzz.a -1s09 1s08.a -1s0i 1s0h.a -1s0r 1s0q.a
-1yfi 6eh 1s0z.a -1s19 1s18.a -1s1i 1s1h.a -1s1r 1s1q.a -1s20 1s1z.a -1s29 1s28.a -1s2i 1s2h.a -1s2r 1s2q.a -1s30
1s2z.a -1s39 1s38.a -1yi9 6eq 1s3h.a -1s3r 1s3q.a -1s40 1s3z.a -1s49 1s48.a -1s4i 1s4h.a -1s4r 1s4q.a -1s50 1s4z.a
-1s59 1s58.a -1s5i 1s5h.a -1s5r 1s5q.a -1yl0 6ez 1s5z.a -1s69 1s68.a -1s6i 1s6h.a -1s6r 1s6q.a -1s70 1s6z.a -1s79
1s78.a -1s7i 1s7h.a -1s7r 1s7q.a -1s80 1s7z.a -1s89 1s88.a -1ynr 6f8 1s8h.a -1s8r 1s8q.a -1s90 1s8z.a -1s99 1s98.a
-1s9i 1s9h.1o -1yqi 1yqh.2s -1yt9 1yt8.t 7.v 1.a 4.i -1yw0 6fz 1sfz.a -1sg9 1sg8.a -1sgi 1sgh.a -1sgr 1sgq.a -1sh0
1sgz.a -1sh9 1sh8.a -1shi 1shh.3 1.6 -1shr 1shq.4 -1shu 1shz.a -1si9 1si8.a -1yyr 6g8 1sih.a 2.6 a.1y -1zop 1zoy.a 1.7
1.l 5.j -1z3h 6gs.8 -6h0 6gz.a -6h9 6h8.a -6hi 6hh.a -6hr 6hq.a -6i0 6hz.a -6i9 6i8.7 1t3z.a -1t49 1t48.a -1t4i 1t4h.a
-1t4r 1t4q.a -1zni 6ih 1t4z.a -1t59 1t58.a -1t5i 1t5h.a -1t5r 1t5q.a -1t60 1t5z.a -1t69 1t68 -1t69.4 -6ir 6iq.6 1t8s.8
-1t90 1t8z.a -1t99 1t98.a -1t9i 1t9h.a -1t9r 1t9q.a -20gi nh 6iz 1t9z.a -1ta9 1ta8.a -1tai 1tah.7 -1tao 1tar.9 -1tb0
1taz.a -1tb9 1tb8.a -1tbi 1tbh.a -1tbr 1tbq.a -1tc0 1tbz.8 -1tc7 1tcd.5 -1zvr 6j8 1tch.a -1tcr 1tcq.2 -1tcs.6 1tee.4
-1tei 1teh -1tei 1tes.2 -1zyc 6jh 1tf7.2 -1tf9 1tf8.a -1tfi 1tfh.a -1tfr 1tfq.a -1tg0 1tfz.a -1tg9 1tg8.a -1tgi 1tgh.a
-1tgr 1tgq.a -1th0 1tgz.a -1th9 1th8.a -2019 6jq 1thh.a -1thr 1thq.a -1ti0 1thz.a -1ti9 1ti8.a -1tii 1tih.a -1tir
1tiq.a -1tj0 1tiz.a -1tj9 1tj8.a -1tji 1tjh.a -1tjr 1tjq.a -2040 6jz 1tjz.a -1tk9 1tk8.a -1tki 1tkh.a -1tkr 1tkq.a
-1tl0 1tkz.a -1tl9 1tl8.a -1tli 1tlh.a -1tlr 1tlq.a -1tm0 1tlz.a -1tm9 1tm8.a -206r 6k8 1tmh.a -1tmr 1tmq.a -1tn0
1tmz.a -1tn9 1tn8.a -1tni 1tnh.a -1tnr 1tnq.a -1to0 1tnz.a -1to9 1to8.a -1toi 1toh.a -1tor 1toq.a -209i 6kh 1toz.a
-1tp9 1tp8.a -1tpi 1tph.a -1tpr 1tpq.a -1tq0 1tpz.a -1tq9 1tq8.a -1tqi 1tqh.a -1tqr 1tqq.a -1tr0 1tqz.a -1tr9 1tr8.a
-20c9 6kq 1trh.a -1trr 1trq.a -1ts0 1trz.a -1ts9 1ts8.a -1tsi 1tsh.a -1tsr 1tsq.a -1tt0 1tsz.a -1tt9 1tt8.a -1tti
1tth.a -1ttr 1ttq.a -20f0 6kz 1ttz.a -1tu9 1tu8.a -1tui 1tuh.a -1tur 1tuq.a -1tv0 1tuz.a -1tv9 1tv8.a -1tvi 1tvh.a
-1tvr 1tvq.a -1tw0 1tvz.a -1tw9 1tw8.a -20hr 6l8 1twh.a -1twr 1twq.a -1tx0 1twz.a -1tx9 1tx8.a -1txi 1txh.a -1txr
1txq.a -1ty0 1txz.a -1ty9 1ty8.a -1tyi 1tyh.a -1tyr 1tyq.a -2189 nq 6lh 1tyz.a -1tz9 1tz8.a -1tzi 1tzh.a -1tzr 1tzq.a
-1u00 1tzz.a -1u09 1u08.a -1u0i 1u0h.a -1u0r 1u0q.a -1u10 1u0z.a -1u19 1u18.a -20n9 6lq 1u1h.a -1u1r 1u1q.a -1u20
1u1z.a -1u29 1u28.a -1u2i 1u2h.a -1u2r 1u2q.a -1u30 1u2z.a -1u39 1u38.a -1u3i 1u3h.a -1u3r 1u3q.a -20q0 6lz 1u3z.a
-1u49 1u48.a -1u4i 1u4h.a -1u4r 1u4q.a -1u50 1u4z.a -1u59 1u58.a -1u5i 1u5h.a -1u5r 1u5q.a -1u60 1u5z.a -1u69 1u68.a
-20sr 6m8 1u6h.a -1u6r 1u6q.a -1u70 1u6z.a -1u79 1u78.a -1u7i 1u7h.a -1u7r 1u7q.a -1u80 1u7z.a -1u89 1u88.a -1u8i
1u8h.a -1u8r 1u8q.a -20vi 6mh 1u8z.a -1u99 1u98.a -1u9i 1u9h.a -1u9r 1u9q.a -1ua0 1u9z.a -1ua9 1ua8.a -1uai 1uah.a
-1uar 1uaq.a -1ub0 1uaz.a -1ub9 1ub8.a -20y9 6mq 1ubh.a -1ubr 1ubq.a -1uc0 1ubz.a -1uc9 1uc8.a -1uci 1uch.a -1ucr
1ucq.a -1ud0 1ucz.a -1ud9 1ud8.a -1udi 1udh.a -1udr 1udq.a -2110 6mz 1udz.a -1ue9 1ue8.a -1uei 1ueh.a -1uer 1ueq.a
-1uf0 1uez.a -1uf9 1uf8.a -1ufi 1ufh.a -1ufr 1ufq.a -1ug0 1ufz.a -1ug9 1ug8.a -213r 6n8 1ugh.a -1ugr 1ugq.a -1uh0
1ugz.a -1uh9 1uh8.a -1uhi 1uhh.a -1uhr 1uhq.a -1ui0 1uhz.a -1ui9 1ui8.a -1uii 1uih.a -1uir 1uiq.a -216i 6nh 1uiz.a
-1uj9 1uj8.a -1uji 1ujh.a -1ujr 1ujq.a -1uk0 1ujz.a -1uk9 1uk8.a -1uki 1ukh.a -1ukr 1ukq.a -1ul0 1ukz.a -1ul9 1ul8.a
-2199 6nq 1ulh.a -1ulr 1ulq.a -1um0 1ulz.a -1um9 1um8.a -1umi 1umh.a -1umr 1umq.a -1un0 1umz.a -1un9 1un8.a -1uni
1unh.a -1unr 1unq.a -2200 nz 6nz 1unz.a -1uo9 1uo8.a -1uoi 1uoh.a -1uor 1uoq.a -1up0 1uoz.a -1up9 1up8.a -1upi 1uph.a
-1upr 1upq.a -1uq0 1upz.a -1uq9 1uq8.a -21er 6o8 1uqh.a -1uqr 1uqq.a -1ur0 1uqz.a -1ur9 1ur8.a -1uri 1urh.a -1urr
1urq.a -1us0 1urz.a -1us9 1us8.a -1usi 1ush.a -1usr 1usq.a -21hi 6oh 1usz.a -1ut9 1ut8.a -1uti 1uth.a -1utr 1utq.a
-1uu0 1utz.a -1uu9 1uu8.a -1uui 1uuh.a -1uur 1uuq.a -1uv0 1uuz.a -1uv9 1uv8.a -21k9 6oq 1uvh.a -1uvr 1uvq.a -1uw0
1uvz.a -1uw9 1uw8.a -1uwi 1uwh.a -1uwr 1uwq.a -1ux0 1uwz.a -1ux9 1ux8.a -1uxi 1uxh.a -1uxr 1uxq.a -21n0 6oz 1uxz.a
-1uy9 1uy8.a -1uyi 1uyh.a -1uyr 1uyq.a -1uz0 1uyz.a -1uz9 1uz8.a -1uzi 1uzh.a -1uzr 1uzq.a -1v00 1uzz.a -1v09 1v08.a
-21pr 6p8 1v0h.a -1v0r 1v0q.a -1v10 1v0z.a -1v19 1v18.a -1v1i 1v1h.a -1v1r 1v1q.a -1v20 1v1z.a -1v29 1v28.a -1v2i
1v2h.a -1v2r 1v2q.a -21si 6ph 1v2z.a -1v39 1v38.a -1v3i 1v3h.a -1v3r 1v3q.a -1v40 1v3z.a -1v49 1v48.a -1v4i 1v4h.a
-1v4r 1v4q.a -1v50 1v4z.a -1v59 1v58.a -21v9 6pq 1v5h.a -1v5r 1v5q.a -1v60 1v5z.a -1v69 1v68.a -1v6i 1v6h.a -1v6r
1v6q.a -1v70 1v6z.a -1v79 1v78.a -1v7i 1v7h.a -1v7r 1v7q.a -21y0 6pz 1v7z.a -1v89 1v88.a -1v8i 1v8h.a -1v8r 1v8q.a
-1v90 1v8z.a -1v99 1v98.a -1v9i 1v9h.a -1v9r 1v9q.a -1va0 1v9z.a -1va9 1va8.a -220r 6q8 1vah.a -1var 1vaq.a -1vb0
1vaz.a -1vb9 1vb8.a -1vbi 1vbh.a -1vbr 1vbq.a -1vc0 1vbz.a -1vc9 1vc8.a -1vci 1vch.a -1vcr 1vcq.a -22rr o8 6qh 1vcz.a
-1vd9 1vd8.a -1vdi 1vdh.a -1vdr 1vdq.a -1ve0 1vdz.a -1ve9 1ve8.a -1vei 1veh.a -1ver 1veq.a -1vf0 1vez.a -1vf9 1vf8.a
-2269 6qq 1vfh.a -1vfr 1vfq.a -1vg0 1vfz.a -1vg9 1vg8.a -1vgi 1vgh.a -1vgr 1vgq.a -1vh0 1vgz.a -1vh9 1vh8.a -1vhi
1vhh.a -1vhr 1vhq.a -2290 6qz 1vhz.a -1vi9 1vi8.a -1vii 1vih.a -1vir 1viq.a -1vj0 1viz.a -1vj9 1vj8.a -1vji 1vjh.a
-1vjr 1vjq.a -1vk0 1vjz.a -1vk9 1vk8.a -22br 6r8 1vkh.a -1vkr 1vkq.a -1vl0 1vkz.a -1vl9 1vl8.a -1vli 1vlh.a -1vlr
1vlq.a -1vm0 1vlz.a -1vm9 1vm8.a -1vmi 1vmh.a -1vmr 1vmq.a -22ei 6rh 1vmz.a -1vn9 1vn8.a -1vni 1vnh.a -1vnr 1vnq.a
-1vo0 1vnz.a -1vo9 1vo8.a -1voi 1voh.a -1vor 1voq.a -1vp0 1voz.a -1vp9 1vp8.a -22h9 6rq 1vph.a -1vpr 1vpq.a -1vq0
1vpz.a -1vq9 1vq8.a -1vqi 1vqh.a -1vqr 1vqq.a -1vr0 1vqz.a -1vr9 1vr8.a -1vri 1vrh.a -1vrr 1vrq.a -22k0 6rz 1vrz.a
-1vs9 1vs8.a -1vsi 1vsh.a -1vsr 1vsq.a -1vt0 1vsz.a -1vt9 1vt8.a -1vti 1vth.a -1vtr 1vtq.a -1vu0 1vtz.a -1vu9 1vu8.a
-22mr 6s8 1vuh.a -1vur 1vuq.a -1vv0 1vuz.a -1vv9 1vv8.a -1vvi 1vvh.a -1vvr 1vvq.a -1vw0 1vvz.a -1vw9 1vw8.a -1vwi
1vwh.a -1vwr 1vwq.a -22pi 6sh 1vwz.a -1vx9 1vx8.a -1vxi 1vxh.a -1vxr 1vxq.a -1vy0 1vxz.a -1vy9 1vy8.a -1vyi 1vyh.a
-1vyr 1vyq.a -1vz0 1vyz.a -1vz9 1vz8.a -22s9 6sq 1vzh.a -1vzr 1vzq.a -1w00 1vzz.a -1w09 1w08.a -1w0i 1w0h.a -1w0r
1w0q.a -1w10 1w0z.a -1w19 1w18.a -1w1i 1w1h.a -1w1r 1w1q.a -23ji oh 6sz 1w1z.a -1w29 1w28.a -1w2i 1w2h.a -1w2r 1w2q.a
-1w30 1w2z.a -1w39 1w38.a -1w3i 1w3h.a -1w3r 1w3q.a -1w40 1w3z.a -1w49 1w48.a -22xr 6t8 1w4h.a -1w4r 1w4q.a -1w50
1w4z.a -1w59 1w58.a -1w5i 1w5h.a -1w5r 1w5q.a -1w60 1w5z.a -1w69 1w68.a -1w6i 1w6h.a -1w6r 1w6q.a -230i 6th 1w6z.a
-1w79 1w78.a -1w7i 1w7h.a -1w7r 1w7q.a -1w80 1w7z.a -1w89 1w88.a -1w8i 1w8h.a -1w8r 1w8q.a -1w90 1w8z.a -1w99 1w98.a
-2339 6tq 1w9h.5 iynz.a -iyo9 iyo8.a -iyoi iyoh.a -iyor iyoq.a -iyp0 iyoz.a -iyp9 iyp8.a -kuz9 1w9q iyph.a -iypr
iypq.a -iyq0 iypz.a -iyq9 iyq8.a -iyqi iyqh.a -iyqr iyqq.a -iyr0 iyqz.a -iyr9 iyr8.a -iyri iyrh.a -iyrr iyrq.a -kv20
1w9z iyrz.a -iys9 iys8.a -iysi iysh.a -iysr iysq.a -iyt0 iysz.a -iyt9 iyt8.a -iyti iyth.a -iytr iytq.a -iyu0 iytz.a
-iyu9 iyu8.a -kv4r 1wa8 iyuh.a -iyur iyuq.a -iyv0 iyuz.a -iyv9 iyv8.a -iyvi iyvh.a -iyvr iyvq.a -iyw0 iyvz.a -iyw9
iyw8.a -iywi iywh.a -iywr iywq.a -kv7i 1wah iywz.a -iyx9 iyx8.a -iyxi iyxh.a -iyxr iyxq.a -iyy0 iyxz.a -iyy9 iyy8.a
-iyyi iyyh.a -iyyr iyyq.a -iyz0 iyyz.a -iyz9 iyz8.a -kva9 1waq iyzh.a -iyzr iyzq.a -iz00 iyzz.a -iz09 iz08.a -iz0i
iz0h.a -iz0r iz0q.a -iz10 iz0z.a -iz19 iz18.a -iz1i iz1h.a -iz1r iz1q.a -kvd0 1waz iz1z.a -iz29 iz28.a -iz2i iz2h.a
-iz2r iz2q.a -iz30 iz2z.a -iz39 iz38.a -iz3i iz3h.a -iz3r iz3q.a -iz40 iz3z.a -iz49 iz48.a -kvfr 1wb8 iz4h.a -iz4r
iz4q.a -iz50 iz4z.a -iz59 iz58.a -iz5i iz5h.a -iz5r iz5q.a -iz60 iz5z.a -iz69 iz68.a -iz6i iz6h.a -iz6r iz6q.a -kvii
1wbh iz6z.a -iz79 iz78.a -iz7i iz7h.a -iz7r iz7q.a -iz80 iz7z.a -iz89 iz88.a -iz8i iz8h.a -iz8r iz8q.a -iz90 iz8z.a
-iz99 iz98.a -kvl9 1wbq iz9h.a -iz9r iz9q.a -iza0 iz9z.a -iza9 iza8.a -izai izah.a -izar izaq.a -izb0 izaz.a -izb9
izb8.a -izbi izbh.a -izbr izbq.a -l2i0 6tz 1wbz izbz.a -izc9 izc8.a -izci izch.a -izcr izcq.a -izd0 izcz.a -izd9
izd8.a -izdi izdh.a -izdr izdq.a -ize0 izdz.a -ize9 ize8.a -kvqr 1wc8 izeh.a -izer izeq.a -izf0 izez.a -izf9 izf8.a
-izfi izfh.a -izfr izfq.a -izg0 izfz.a -izg9 izg8.a -izgi izgh.a -izgr izgq.a -kvti 1wch izgz.a -izh9 izh8.a -izhi
izhh.a -izhr izhq.a -izi0 izhz.a -izi9 izi8.a -izii izih.a -izir iziq.a -izj0 iziz.a -izj9 izj8.a -kvw9 1wcq izjh.a
-izjr izjq.a -izk0 izjz.a -izk9 izk8.a -izki izkh.a -izkr izkq.a -izl0 izkz.a -izl9 izl8.a -izli izlh.a -izlr izlq.a
-kvz0 1wcz izlz.a -izm9 izm8.a -izmi izmh.a -izmr izmq.a -izn0 izmz.a -izn9 izn8.a -izni iznh.a -iznr iznq.a -izo0
iznz.a -izo9 izo8.a -kw1r 1wd8 izoh.a -izor izoq.a -izp0 izoz.a -izp9 izp8.a -izpi izph.a -izpr izpq.a -izq0 izpz.a
-izq9 izq8.a -izqi izqh.a -izqr izqq.a -kw4i 1wdh izqz.a -izr9 izr8.a -izri izrh.a -izrr izrq.a -izs0 izrz.a -izs9
izs8.a -izsi izsh.a -izsr izsq.a -izt0 izsz.a -izt9 izt8.a -kw79 1wdq izth.a -iztr iztq.a -izu0 iztz.a -izu9 izu8.a
-izui izuh.a -izur izuq.a -izv0 izuz.a -izv9 izv8.a -izvi izvh.a -izvr izvq.a -kwa0 1wdz izvz.a -izw9 izw8.a -izwi
izwh.a -izwr izwq.a -izx0 izwz.a -izx9 izx8.a -izxi izxh.a -izxr izxq.a -izy0 izxz.a -izy9 izy8.a -kwcr 1we8 izyh.a
-izyr izyq.a -izz0 izyz.a -izz9 izz8.a -izzi izzh.a -izzr izzq.a -j000 izzz.a -j009 j008.a -j00i j00h.a -j00r j00q.a
-l39r 6u8 1weh j00z.a -j019 j018.a -j01i j01h.a -j01r j01q.a -j020 j01z.a -j029 j028.a -j02i j02h.a -j02r j02q.a -j030
j02z.a -j039 j038.a -kwi9 1weq j03h.a -j03r j03q.a -j040 j03z.a -j049 j048.a -j04i j04h.a -j04r j04q.a -j050 j04z.a
-j059 j058.a -j05i j05h.a -j05r j05q.a -kwl0 1wez j05z.a -j069 j068.a -j06i j06h.a -j06r j06q.a -j070 j06z.a -j079
j078.a -j07i j07h.a -j07r j07q.a -j080 j07z.a -j089 j088.a -kwnr 1wf8 j08h.a -j08r j08q.a -j090 j08z.a -j099 j098.a
-j09i j09h.a -j09r j09q.a -j0a0 j09z.a -j0a9 j0a8.a -j0ai j0ah.a -j0ar j0aq.a -kwqi 1wfh j0az.a -j0b9 j0b8.a -j0bi
j0bh.a -j0br j0bq.a -j0c0 j0bz.a -j0c9 j0c8.a -j0ci j0ch.a -j0cr j0cq.a -j0d0 j0cz.a -j0d9 j0d8.a -kwt9 1wfq j0dh.a
-j0dr j0dq.a -j0e0 j0dz.a -j0e9 j0e8.a -j0ei j0eh.a -j0er j0eq.a -j0f0 j0ez.a -j0f9 j0f8.a -j0fi j0fh.a -j0fr j0fq.a
-kww0 1wfz j0fz.a -j0g9 j0g8.a -j0gi j0gh.a -j0gr j0gq.a -j0h0 j0gz.a -j0h9 j0h8.a -j0hi j0hh.a -j0hr j0hq.a -j0i0
j0hz.a -j0i9 j0i8.a -kwyr 1wg8 j0ih.a -j0ir j0iq.a -j0j0 j0iz.a -j0j9 j0j8.a -j0ji j0jh.a -j0jr j0jq.a -j0k0 j0jz.a
-j0k9 j0k8.a -j0ki j0kh.a -j0kr j0kq.a -kx1i 1wgh j0kz.a -j0l9 j0l8.a -j0li j0lh.a -j0lr j0lq.a -j0m0 j0lz.a -j0m9
j0m8.a -j0mi j0mh.a -j0mr j0mq.a -j0n0 j0mz.a -j0n9 j0n8.a -kx49 1wgq j0nh.a -j0nr j0nq.a -j0o0 j0nz.a -j0o9 j0o8.a
-j0oi j0oh.a -j0or j0oq.a -j0p0 j0oz.a -j0p9 j0p8.a -j0pi j0ph.a -j0pr j0pq.a -l41i 6uh 1wgz j0pz.a -j0q9 j0q8.a -j0qi
j0qh.a -j0qr j0qq.a -j0r0 j0qz.a -j0r9 j0r8.a -j0ri j0rh.a -j0rr j0rq.a -j0s0 j0rz.a -j0s9 j0s8.a -kx9r 1wh8 j0sh.a
-j0sr j0sq.a -j0t0 j0sz.a -j0t9 j0t8.a -j0ti j0th.a -j0tr j0tq.a -j0u0 j0tz.a -j0u9 j0u8.a -j0ui j0uh.a -j0ur j0uq.a
-kxci 1whh j0uz.a -j0v9 j0v8.a -j0vi j0vh.a -j0vr j0vq.a -j0w0 j0vz.a -j0w9 j0w8.a -j0wi j0wh.a -j0wr j0wq.a -j0x0
j0wz.a -j0x9 j0x8.a -kxf9 1whq j0xh.a -j0xr j0xq.a -j0y0 j0xz.a -j0y9 j0y8.a -j0yi j0yh.a -j0yr j0yq.a -j0z0 j0yz.a
-j0z9 j0z8.a -j0zi j0zh.a -j0zr j0zq.a -kxi0 1whz j0zz.a -j109 j108.a -j10i j10h.a -j10r j10q.a -j110 j10z.a -j119
j118.a -j11i j11h.a -j11r j11q.a -j120 j11z.a -j129 j128.a -kxkr 1wi8 j12h.a -j12r j12q.a -j130 j12z.a -j139 j138.a
-j13i j13h.a -j13r j13q.a -j140 j13z.a -j149 j148.a -j14i j14h.a -j14r j14q.a -kxni 1wih j14z.a -j159 j158.a -j15i
j15h.a -j15r j15q.a -j160 j15z.a -j169 j168.a -j16i j16h.a -j16r j16q.a -j170 j16z.a -j179 j178.a -kxq9 1wiq j17h.a
-j17r j17q.a -j180 j17z.a -j189 j188.a -j18i j18h.a -j18r j18q.a -j190 j18z.a -j199 j198.a -j19i j19h.a -j19r j19q.a
-kxt0 1wiz j19z.a -j1a9 j1a8.a -j1ai j1ah.a -j1ar j1aq.a -j1b0 j1az.a -j1b9 j1b8.a -j1bi j1bh.a -j1br j1bq.a -j1c0
j1bz.a -j1c9 j1c8.a -kxvr 1wj8 j1ch.a -j1cr j1cq.a -j1d0 j1cz.a -j1d9 j1d8.a -j1di j1dh.a -j1dr j1dq.a -j1e0 j1dz.a
-j1e9 j1e8.a -j1ei j1eh.a -j1er j1eq.a -l4t9 6uq 1wjh j1ez.a -j1f9 j1f8.a -j1fi j1fh.a -j1fr j1fq.a -j1g0 j1fz.a -j1g9
j1g8.a -j1gi j1gh.a -j1gr j1gq.a -j1h0 j1gz.a -j1h9 j1h8.a -ky19 1wjq j1hh.a -j1hr j1hq.a -j1i0 j1hz.a -j1i9 j1i8.a
-j1ii j1ih.a -j1ir j1iq.a -j1j0 j1iz.a -j1j9 j1j8.a -j1ji j1jh.a -j1jr j1jq.a -ky40 1wjz j1jz.a -j1k9 j1k8.a -j1ki
j1kh.a -j1kr j1kq.a -j1l0 j1kz.a -j1l9 j1l8.a -j1li j1lh.a -j1lr j1lq.a -j1m0 j1lz.a -j1m9 j1m8.a -ky6r 1wk8 j1mh.a
-j1mr j1mq.a -j1n0 j1mz.a -j1n9 j1n8.a -j1ni j1nh.a -j1nr j1nq.a -j1o0 j1nz.a -j1o9 j1o8.a -j1oi j1oh.a -j1or j1oq.a
-ky9i 1wkh j1oz.a -j1p9 j1p8.a -j1pi j1ph.a -j1pr j1pq.a -j1q0 j1pz.a -j1q9 j1q8.a -j1qi j1qh.a -j1qr j1qq.a -j1r0
j1qz.a -j1r9 j1r8.a -kyc9 1wkq j1rh.a -j1rr j1rq.a -j1s0 j1rz.a -j1s9 j1s8.a -j1si j1sh.a -j1sr j1sq.a -j1t0 j1sz.a
-j1t9 j1t8.a -j1ti j1th.a -j1tr j1tq.a -kyf0 1wkz j1tz.a -j1u9 j1u8.a -j1ui j1uh.a -j1ur j1uq.a -j1v0 j1uz.a -j1v9
j1v8.a -j1vi j1vh.a -j1vr j1vq.a -j1w0 j1vz.a -j1w9 j1w8.a -kyhr 1wl8 j1wh.a -j1wr j1wq.a -j1x0 j1wz.a -j1x9 j1x8.a
-j1xi j1xh.a -j1xr j1xq.a -j1y0 j1xz.a -j1y9 j1y8.a -j1yi j1yh.a -j1yr j1yq.a -kyki 1wlh j1yz.a -j1z9 j1z8.a -j1zi
j1zh.a -j1zr j1zq.a -j200 j1zz.a -j209 j208.a -j20i j20h.a -j20r j20q.a -j210 j20z.a -j219 j218.a -kyn9 1wlq j21h.a
-j21r j21q.a -j220 j21z.a -j229 j228.a -j22i j22h.a -j22r j22q.a -j230 j22z.a -j239 j238.a -j23i j23h.a -j23r j23q.a
-l5l0 6uz 1wlz j23z.a -j249 j248.a -j24i j24h.a -j24r j24q.a -j250 j24z.a -j259 j258.a -j25i j25h.a -j25r j25q.a -j260
j25z.a -j269 j268.a -kysr 1wm8 j26h.a -j26r j26q.a -j270 j26z.a -j279 j278.a -j27i j27h.a -j27r j27q.a -j280 j27z.a
-j289 j288.a -j28i j28h.a -j28r j28q.a -kyvi 1wmh j28z.a -j299 j298.a -j29i j29h.a -j29r j29q.a -j2a0 j29z.a -j2a9
j2a8.a -j2ai j2ah.a -j2ar j2aq.a -j2b0 j2az.a -j2b9 j2b8.a -kyy9 1wmq j2bh.a -j2br j2bq.a -j2c0 j2bz.a -j2c9 j2c8.a
-j2ci j2ch.a -j2cr j2cq.a -j2d0 j2cz.a -j2d9 j2d8.a -j2di j2dh.a -j2dr j2dq.a -kz10 1wmz j2dz.a -j2e9 j2e8.a -j2ei
j2eh.a -j2er j2eq.a -j2f0 j2ez.a -j2f9 j2f8.a -j2fi j2fh.a -j2fr j2fq.a -j2g0 j2fz.a -j2g9 j2g8.a -kz3r 1wn8 j2gh.a
-j2gr j2gq.a -j2h0 j2gz.a -j2h9 j2h8.a -j2hi j2hh.a -j2hr j2hq.a -j2i0 j2hz.a -j2i9 j2i8.a -j2ii j2ih.a -j2ir j2iq.a
-kz6i 1wnh j2iz.a -j2j9 j2j8.a -j2ji j2jh.a -j2jr j2jq.a -j2k0 j2jz.a -j2k9 j2k8.a -j2ki j2kh.a -j2kr j2kq.a -j2l0
j2kz.a -j2l9 j2l8.a -kz99 1wnq j2lh.a -j2lr j2lq.a -j2m0 j2lz.a -j2m9 j2m8.a -j2mi j2mh.a -j2mr j2mq.a -j2n0 j2mz.a
-j2n9 j2n8.a -j2ni j2nh.a -j2nr j2nq.a -kzc0 1wnz j2nz.a -j2o9 j2o8.a -j2oi j2oh.a -j2or j2oq.a -j2p0 j2oz.a -j2p9
j2p8.a -j2pi j2ph.a -j2pr j2pq.a -j2q0 j2pz.a -j2q9 j2q8.a -kzer 1wo8 j2qh.a -j2qr j2qq.a -j2r0 j2qz.a -j2r9 j2r8.a
-j2ri j2rh.a -j2rr j2rq.a -j2s0 j2rz.a -j2s9 j2s8.a -j2si j2sh.a -j2sr j2sq.a -l6cr 6v8 1woh j2sz.a -j2t9 j2t8.a -j2ti
j2th.a -j2tr j2tq.a -j2u0 j2tz.a -j2u9 j2u8.a -j2ui j2uh.a -j2ur j2uq.a -j2v0 j2uz.a -j2v9 j2v8.a -kzk9 1woq j2vh.a
-j2vr j2vq.a -j2w0 j2vz.a -j2w9 j2w8.a -j2wi j2wh.a -j2wr j2wq.a -j2x0 j2wz.a -j2x9 j2x8.a -j2xi j2xh.a -j2xr j2xq.a
-kzn0 1woz j2xz.a -j2y9 j2y8.a -j2yi j2yh.a -j2yr j2yq.a -j2z0 j2yz.a -j2z9 j2z8.a -j2zi j2zh.a -j2zr j2zq.a -j300
j2zz.a -j309 j308.a -kzpr 1wp8 j30h.a -j30r j30q.a -j310 j30z.a -j319 j318.a -j31i j31h.a -j31r j31q.a -j320 j31z.a
-j329 j328.a -j32i j32h.a -j32r j32q.a -kzsi 1wph j32z.a -j339 j338.a -j33i j33h.a -j33r j33q.a -j340 j33z.a -j349
j348.a -j34i j34h.a -j34r j34q.a -j350 j34z.a -j359 j358.a -kzv9 1wpq j35h.a -j35r j35q.a -j360 j35z.a -j369 j368.a
-j36i j36h.a -j36r j36q.a -j370 j36z.a -j379 j378.a -j37i j37h.a -j37r j37q.a -kzy0 1wpz j37z.a -j389 j388.a -j38i
j38h.a -j38r j38q.a -j390 j38z.a -j399 j398.a -j39i j39h.a -j39r j39q.a -j3a0 j39z.a -j3a9 j3a8.a -l00r 1wq8 j3ah.a
-j3ar j3aq.a -j3b0 j3az.a -j3b9 j3b8.a -j3bi j3bh.a -j3br j3bq.a -j3c0 j3bz.a -j3c9 j3c8.a -j3ci j3ch.a -j3cr j3cq.a
-l03i 1wqh j3cz.a -j3d9 j3d8.a -j3di j3dh.a -j3dr j3dq.a -j3e0 j3dz.a -j3e9 j3e8.a -j3ei j3eh.a -j3er j3eq.a -j3f0
j3ez.a -j3f9 j3f8.a -l069 1wqq j3fh.a -j3fr j3fq.a -j3g0 j3fz.a -j3g9 j3g8.a -j3gi j3gh.a -j3gr j3gq.a -j3h0 j3gz.a
-j3h9 j3h8.a -j3hi j3hh.a -j3hr j3hq.a -l7t9 oq 6vh 1wqz j3hz.a -j3i9 j3i8.a -j3ii j3ih.a -j3ir j3iq.a -j3j0 j3iz.a
-j3j9 j3j8.a -j3ji j3jh.a -j3jr j3jq.a -j3k0 j3jz.a -j3k9 j3k8.a -l0br 1wr8 j3kh.a -j3kr j3kq.a -j3l0 j3kz.a -j3l9
j3l8.a -j3li j3lh.a -j3lr j3lq.a -j3m0 j3lz.a -j3m9 j3m8.a -j3mi j3mh.a -j3mr j3mq.a -l0ei 1wrh j3mz.a -j3n9 j3n8.a
-j3ni j3nh.a -j3nr j3nq.a -j3o0 j3nz.a -j3o9 j3o8.a -j3oi j3oh.a -j3or j3oq.a -j3p0 j3oz.a -j3p9 j3p8.a -l0h9 1wrq
j3ph.a -j3pr j3pq.a -j3q0 j3pz.a -j3q9 j3q8.a -j3qi j3qh.a -j3qr j3qq.a -j3r0 j3qz.a -j3r9 j3r8.a -j3ri j3rh.a -j3rr
j3rq.a -l0k0 1wrz j3rz.a -j3s9 j3s8.a -j3si j3sh.a -j3sr j3sq.a -j3t0 j3sz.a -j3t9 j3t8.a -j3ti j3th.a -j3tr j3tq.a
-j3u0 j3tz.a -j3u9 j3u8.a -l0mr 1ws8 j3uh.a -j3ur j3uq.a -j3v0 j3uz.a -j3v9 j3v8.a -j3vi j3vh.a -j3vr j3vq.a -j3w0
j3vz.a -j3w9 j3w8.a -j3wi j3wh.a -j3wr j3wq.a -l0pi 1wsh j3wz.a -j3x9 j3x8.a -j3xi j3xh.a -j3xr j3xq.a -j3y0 j3xz.a
-j3y9 j3y8.a -j3yi j3yh.a -j3yr j3yq.a -j3z0 j3yz.a -j3z9 j3z8.a -l0s9 1wsq j3zh.a -j3zr j3zq.a -j400 j3zz.a -j409
j408.a -j40i j40h.a -j40r j40q.a -j410 j40z.a -j419 j418.a -j41i j41h.a -j41r j41q.a -l0v0 1wsz j41z.a -j429 j428.a
-j42i j42h.a -j42r j42q.a -j430 j42z.a -j439 j438.a -j43i j43h.a -j43r j43q.a -j440 j43z.a -j449 j448.a -l0xr 1wt8
j44h.a -j44r j44q.a -j450 j44z.a -j459 j458.a -j45i j45h.a -j45r j45q.a -j460 j45z.a -j469 j468.a -j46i j46h.a -j46r
j46q.a -l7w9 6vq 1wth j46z.a -j479 j478.a -j47i j47h.a -j47r j47q.a -j480 j47z.a -j489 j488.a -j48i j48h.a -j48r
j48q.a -j490 j48z.a -j499 j498.a -l139 1wtq j49h.a -j49r j49q.a -j4a0 j49z.a -j4a9 j4a8.a -j4ai j4ah.a -j4ar j4aq.a
-j4b0 j4az.a -j4b9 j4b8.a -j4bi j4bh.a -j4br j4bq.a -l160 1wtz j4bz.a -j4c9 j4c8.a -j4ci j4ch.a -j4cr j4cq.a -j4d0
j4cz.a -j4d9 j4d8.a -j4di j4dh.a -j4dr j4dq.a -j4e0 j4dz.a -j4e9 j4e8.a -l18r 1wu8 j4eh.a -j4er j4eq.a -j4f0 j4ez.a
-j4f9 j4f8.a -j4fi j4fh.a -j4fr j4fq.a -j4g0 j4fz.a -j4g9 j4g8.a -j4gi j4gh.a -j4gr j4gq.a -l1bi 1wuh j4gz.a -j4h9
j4h8.a -j4hi j4hh.a -j4hr j4hq.a -j4i0 j4hz.a -j4i9 j4i8.a -j4ii j4ih.a -j4ir j4iq.a -j4j0 j4iz.a -j4j9 j4j8.a -l1e9
1wuq j4jh.a -j4jr j4jq.a -j4k0 j4jz.a -j4k9 j4k8.a -j4ki j4kh.a -j4kr j4kq.a -j4l0 j4kz.a -j4l9 j4l8.a -j4li j4lh.a
-j4lr j4lq.a -l1h0 1wuz j4lz.a -j4m9 j4m8.a -j4mi j4mh.a -j4mr j4mq.a -j4n0 j4mz.a -j4n9 j4n8.a -j4ni j4nh.a -j4nr
j4nq.a -j4o0 j4nz.a -j4o9 j4o8.a -l1jr 1wv8 j4oh.a -j4or j4oq.a -j4p0 j4oz.a -j4p9 j4p8.a -j4pi j4ph.a -j4pr j4pq.a
-j4q0 j4pz.a -j4q9 j4q8.a -j4qi j4qh.a -j4qr j4qq.a -l1mi 1wvh j4qz.a -j4r9 j4r8.a -j4ri j4rh.a -j4rr j4rq.a -j4s0
j4rz.a -j4s9 j4s8.a -j4si j4sh.a -j4sr j4sq.a -j4t0 j4sz.a -j4t9 j4t8.a -l1p9 1wvq j4th.a -j4tr j4tq.a -j4u0 j4tz.a
-j4u9 j4u8.a -j4ui j4uh.a -j4ur j4uq.a -j4v0 j4uz.a -j4v9 j4v8.a -j4vi j4vh.a -j4vr j4vq.a -l8o0 6vz 1wvz j4vz.a -j4w9
j4w8.a -j4wi j4wh.a -j4wr j4wq.a -j4x0 j4wz.a -j4x9 j4x8.a -j4xi j4xh.a -j4xr j4xq.a -j4y0 j4xz.a -j4y9 j4y8.a -l1ur
1ww8 j4yh.a -j4yr j4yq.a -j4z0 j4yz.a -j4z9 j4z8.a -j4zi j4zh.a -j4zr j4zq.a -j500 j4zz.a -j509 j508.a -j50i j50h.a
-j50r j50q.a -l1xi 1wwh j50z.a -j519 j518.a -j51i j51h.a -j51r j51q.a -j520 j51z.a -j529 j528.a -j52i j52h.a -j52r
j52q.a -j530 j52z.a -j539 j538.a -l209 1wwq j53h.a -j53r j53q.a -j540 j53z.a -j549 j548.a -j54i j54h.a -j54r j54q.a
-j550 j54z.a -j559 j558.a -j55i j55h.a -j55r j55q.a -l230 1wwz j55z.a -j569 j568.a -j56i j56h.a -j56r j56q.a -j570
j56z.a -j579 j578.a -j57i j57h.a -j57r j57q.a -j580 j57z.a -j589 j588.a -l25r 1wx8 j58h.a -j58r j58q.a -j590 j58z.a
-j599 j598.a -j59i j59h.a -j59r j59q.a -j5a0 j59z.a -j5a9 j5a8.a -j5ai j5ah.a -j5ar j5aq.a -l28i 1wxh j5az.a -j5b9
j5b8.a -j5bi j5bh.a -j5br j5bq.a -j5c0 j5bz.a -j5c9 j5c8.a -j5ci j5ch.a -j5cr j5cq.a -j5d0 j5cz.a -j5d9 j5d8.a -l2b9
1wxq j5dh.a -j5dr j5dq.a -j5e0 j5dz.a -j5e9 j5e8.a -j5ei j5eh.a -j5er j5eq.a -j5f0 j5ez.a -j5f9 j5f8.a -j5fi j5fh.a
-j5fr j5fq.a -l2e0 1wxz j5fz.a -j5g9 j5g8.a -j5gi j5gh.a -j5gr j5gq.a -j5h0 j5gz.a -j5h9 j5h8.a -j5hi j5hh.a -j5hr
j5hq.a -j5i0 j5hz.a -j5i9 j5i8.a -l2gr 1wy8 j5ih.a -j5ir j5iq.a -j5j0 j5iz.a -j5j9 j5j8.a -j5ji j5jh.a -j5jr j5jq.a
-j5k0 j5jz.a -j5k9 j5k8.a -j5ki j5kh.a -j5kr j5kq.a -l9fr 6w8 1wyh j5kz.a -j5l9 j5l8.a -j5li j5lh.a -j5lr j5lq.a -j5m0
j5lz.a -j5m9 j5m8.a -j5mi j5mh.a -j5mr j5mq.a -j5n0 j5mz.a -j5n9 j5n8.a -l2m9 1wyq j5nh.a -j5nr j5nq.a -j5o0 j5nz.a
-j5o9 j5o8.a -j5oi j5oh.a -j5or j5oq.a -j5p0 j5oz.a -j5p9 j5p8.a -j5pi j5ph.a -j5pr j5pq.a -l2p0 1wyz j5pz.a -j5q9
j5q8.a -j5qi j5qh.a -j5qr j5qq.a -j5r0 j5qz.a -j5r9 j5r8.a -j5ri j5rh.a -j5rr j5rq.a -j5s0 j5rz.a -j5s9 j5s8.a -l2rr
1wz8 j5sh.a -j5sr j5sq.a -j5t0 j5sz.a -j5t9 j5t8.a -j5ti j5th.a -j5tr j5tq.a -j5u0 j5tz.a -j5u9 j5u8.a -j5ui j5uh.a
-j5ur j5uq.a -l2ui 1wzh j5uz.a -j5v9 j5v8.a -j5vi j5vh.a -j5vr j5vq.a -j5w0 j5vz.a -j5w9 j5w8.a -j5wi j5wh.a -j5wr
j5wq.a -j5x0 j5wz.a -j5x9 j5x8.a -l2x9 1wzq j5xh.a -j5xr j5xq.a -j5y0 j5xz.a -j5y9 j5y8.a -j5yi j5yh.a -j5yr j5yq.a
-j5z0 j5yz.a -j5z9 j5z8.a -j5zi j5zh.a -j5zr j5zq.a -l300 1wzz j5zz.a -j609 j608.a -j60i j60h.a -j60r j60q.a -j610
j60z.a -j619 j618.a -j61i j61h.a -j61r j61q.a -j620 j61z.a -j629 j628.a -l32r 1x08 j62h.a -j62r j62q.a -j630 j62z.a
-j639 j638.a -j63i j63h.a -j63r j63q.a -j640 j63z.a -j649 j648.a -j64i j64h.a -j64r j64q.a -l35i 1x0h j64z.a -j659
j658.a -j65i j65h.a -j65r j65q.a -j660 j65z.a -j669 j668.a -j66i j66h.a -j66r j66q.a -j670 j66z.a -j679 j678.a -l389
1x0q j67h.a -j67r j67q.a -j680 j67z.a -j689 j688.a -j68i j68h.a -j68r j68q.a -j690 j68z.a -j699 j698.a -j69i j69h.a
-j69r j69q.a -la7i 6wh 1x0z j69z.a -j6a9 j6a8.a -j6ai j6ah.a -j6ar j6aq.a -j6b0 j6az.a -j6b9 j6b8.a -j6bi j6bh.a -j6br
j6bq.a -j6c0 j6bz.a -j6c9 j6c8.a -l3dr 1x18 j6ch.a -j6cr j6cq.a -j6d0 j6cz.a -j6d9 j6d8.a -j6di j6dh.a -j6dr j6dq.a
-j6e0 j6dz.a -j6e9 j6e8.a -j6ei j6eh.a -j6er j6eq.a -l3gi 1x1h j6ez.a -j6f9 j6f8.a -j6fi j6fh.a -j6fr j6fq.a -j6g0
j6fz.a -j6g9 j6g8.a -j6gi j6gh.a -j6gr j6gq.a -j6h0 j6gz.a -j6h9 j6h8.a -l3j9 1x1q j6hh.a -j6hr j6hq.a -j6i0 j6hz.a
-j6i9 j6i8.a -j6ii j6ih.a -j6ir j6iq.a -j6j0 j6iz.a -j6j9 j6j8.a -j6ji j6jh.a -j6jr j6jq.a -l3m0 1x1z j6jz.a -j6k9
j6k8.a -j6ki j6kh.a -j6kr j6kq.a -j6l0 j6kz.a -j6l9 j6l8.a -j6li j6lh.a -j6lr j6lq.a -j6m0 j6lz.a -j6m9 j6m8.a -l3or
1x28 j6mh.a -j6mr j6mq.a -j6n0 j6mz.a -j6n9 j6n8.a -j6ni j6nh.a -j6nr j6nq.a -j6o0 j6nz.a -j6o9 j6o8.a -j6oi j6oh.a
-j6or j6oq.a -l3ri 1x2h j6oz.a -j6p9 j6p8.a -j6pi j6ph.a -j6pr j6pq.a -j6q0 j6pz.a -j6q9 j6q8.a -j6qi j6qh.a -j6qr
j6qq.a -j6r0 j6qz.a -j6r9 j6r8.a -l3u9 1x2q j6rh.a -j6rr j6rq.a -j6s0 j6rz.a -j6s9 j6s8.a -j6si j6sh.a -j6sr j6sq.a
-j6t0 j6sz.a -j6t9 j6t8.a -j6ti j6th.a -j6tr j6tq.a -l3x0 1x2z j6tz.a -j6u9 j6u8.a -j6ui j6uh.a -j6ur j6uq.a -j6v0
j6uz.a -j6v9 j6v8.a -j6vi j6vh.a -j6vr j6vq.a -j6w0 j6vz.a -j6w9 j6w8.a -l3zr 1x38 j6wh.a -j6wr j6wq.a -j6x0 j6wz.a
-j6x9 j6x8.a -j6xi j6xh.a -j6xr j6xq.a -j6y0 j6xz.a -j6y9 j6y8.a -j6yi j6yh.a -j6yr j6yq.a -laz9 6wq 1x3h j6yz.a -j6z9
j6z8.a -j6zi j6zh.a -j6zr j6zq.a -j700 j6zz.a -j709 j708.a -j70i j70h.a -j70r j70q.a -j710 j70z.a -j719 j718.a -l459
1x3q j71h.a -j71r j71q.a -j720 j71z.a -j729 j728.a -j72i j72h.a -j72r j72q.a -j730 j72z.a -j739 j738.a -j73i j73h.a
-j73r j73q.a -l480 1x3z j73z.a -j749 j748.a -j74i j74h.a -j74r j74q.a -j750 j74z.a -j759 j758.a -j75i j75h.a -j75r
j75q.a -j760 j75z.a -j769 j768.a -l4ar 1x48 j76h.a -j76r j76q.a -j770 j76z.a -j779 j778.a -j77i j77h.a -j77r j77q.a
-j780 j77z.a -j789 j788.a -j78i j78h.a -j78r j78q.a -l4di 1x4h j78z.a -j799 j798.a -j79i j79h.a -j79r j79q.a -j7a0
j79z.a -j7a9 j7a8.a -j7ai j7ah.a -j7ar j7aq.a -j7b0 j7az.a -j7b9 j7b8.a -l4g9 1x4q j7bh.a -j7br j7bq.a -j7c0 j7bz.a
-j7c9 j7c8.a -j7ci j7ch.a -j7cr j7cq.a -j7d0 j7cz.a -j7d9 j7d8.a -j7di j7dh.a -j7dr j7dq.a -l4j0 1x4z j7dz.a -j7e9
j7e8.a -j7ei j7eh.a -j7er j7eq.a -j7f0 j7ez.a -j7f9 j7f8.a -j7fi j7fh.a -j7fr j7fq.a -j7g0 j7fz.a -j7g9 j7g8.a -l4lr
1x58 j7gh.a -j7gr j7gq.a -j7h0 j7gz.a -j7h9 j7h8.a -j7hi j7hh.a -j7hr j7hq.a -j7i0 j7hz.a -j7i9 j7i8.a -j7ii j7ih.a
-j7ir j7iq.a -l4oi 1x5h j7iz.a -j7j9 j7j8.a -j7ji j7jh.a -j7jr j7jq.a -j7k0 j7jz.a -j7k9 j7k8.a -j7ki j7kh.a -j7kr
j7kq.a -j7l0 j7kz.a -j7l9 j7l8.a -l4r9 1x5q j7lh.a -j7lr j7lq.a -j7m0 j7lz.a -j7m9 j7m8.a -j7mi j7mh.a -j7mr j7mq.a
-j7n0 j7mz.a -j7n9 j7n8.a -j7ni j7nh.a -j7nr j7nq.a -lbr0 6wz 1x5z j7nz.a -j7o9 j7o8.a -j7oi j7oh.a -j7or j7oq.a -j7p0
j7oz.a -j7p9 j7p8.a -j7pi j7ph.a -j7pr j7pq.a -j7q0 j7pz.a -j7q9 j7q8.a -l4wr 1x68 j7qh.a -j7qr j7qq.a -j7r0 j7qz.a
-j7r9 j7r8.a -j7ri j7rh.a -j7rr j7rq.a -j7s0 j7rz.a -j7s9 j7s8.a -j7si j7sh.a -j7sr j7sq.a -l4zi 1x6h j7sz.a -j7t9
j7t8.a -j7ti j7th.a -j7tr j7tq.a -j7u0 j7tz.a -j7u9 j7u8.a -j7ui j7uh.a -j7ur j7uq.a -j7v0 j7uz.a -j7v9 j7v8.a -l529
1x6q j7vh.a -j7vr j7vq.a -j7w0 j7vz.a -j7w9 j7w8.a -j7wi j7wh.a -j7wr j7wq.a -j7x0 j7wz.a -j7x9 j7x8.a -j7xi j7xh.a
-j7xr j7xq.a -l550 1x6z j7xz.a -j7y9 j7y8.a -j7yi j7yh.a -j7yr j7yq.a -j7z0 j7yz.a -j7z9 j7z8.a -j7zi j7zh.a -j7zr
j7zq.a -j800 j7zz.a -j809 j808.a -l57r 1x78 j80h.a -j80r j80q.a -j810 j80z.a -j819 j818.a -j81i j81h.a -j81r j81q.a
-j820 j81z.a -j829 j828.a -j82i j82h.a -j82r j82q.a -l5ai 1x7h j82z.a -j839 j838.a -j83i j83h.a -j83r j83q.a -j840
j83z.a -j849 j848.a -j84i j84h.a -j84r j84q.a -j850 j84z.a -j859 j858.a -l5d9 1x7q j85h.a -j85r j85q.a -j860 j85z.a
-j869 j868.a -j86i j86h.a -j86r j86q.a -j870 j86z.a -j879 j878.a -j87i j87h.a -j87r j87q.a -l5g0 1x7z j87z.a -j889
j888.a -j88i j88h.a -j88r j88q.a -j890 j88z.a -j899 j898.a -j89i j89h.a -j89r j89q.a -j8a0 j89z.a -j8a9 j8a8.a -l5ir
1x88 j8ah.a -j8ar j8aq.a -j8b0 j8az.a -j8b9 j8b8.a -j8bi j8bh.a -j8br j8bq.a -j8c0 j8bz.a -j8c9 j8c8.a -j8ci j8ch.a
-j8cr j8cq.a -lcir 6x8 1x8h j8cz.a -j8d9 j8d8.a -j8di j8dh.a -j8dr j8dq.a -j8e0 j8dz.a -j8e9 j8e8.a -j8ei j8eh.a -j8er
j8eq.a -j8f0 j8ez.a -j8f9 j8f8.a -l5o9 1x8q j8fh.a -j8fr j8fq.a -j8g0 j8fz.a -j8g9 j8g8.a -j8gi j8gh.a -j8gr j8gq.a
-j8h0 j8gz.a -j8h9 j8h8.a -j8hi j8hh.a -j8hr j8hq.a -l5r0 1x8z j8hz.a -j8i9 j8i8.a -j8ii j8ih.a -j8ir j8iq.a -j8j0
j8iz.a -j8j9 j8j8.a -j8ji j8jh.a -j8jr j8jq.a -j8k0 j8jz.a -j8k9 j8k8.a -l5tr 1x98 j8kh.a -j8kr j8kq.a -j8l0 j8kz.a
-j8l9 j8l8.a -j8li j8lh.a -j8lr j8lq.a -j8m0 j8lz.a -j8m9 j8m8.a -j8mi j8mh.a -j8mr j8mq.a -l5wi 1x9h j8mz.a -j8n9
j8n8.a -j8ni j8nh.a -j8nr j8nq.a -j8o0 j8nz.a -j8o9 j8o8.a -j8oi j8oh.a -j8or j8oq.a -j8p0 j8oz.a -j8p9 j8p8.a -l5z9
1x9q j8ph.a -j8pr j8pq.a -j8q0 j8pz.a -j8q9 j8q8.a -j8qi j8qh.a -j8qr j8qq.a -j8r0 j8qz.a -j8r9 j8r8.a -j8ri j8rh.a
-j8rr j8rq.a -l620 1x9z j8rz.a -j8s9 j8s8.a -j8si j8sh.a -j8sr j8sq.a -j8t0 j8sz.a -j8t9 j8t8.a -j8ti j8th.a -j8tr
j8tq.a -j8u0 j8tz.a -j8u9 j8u8.a -l64r 1xa8 j8uh.a -j8ur j8uq.a -j8v0 j8uz.a -j8v9 j8v8.a -j8vi j8vh.a -j8vr j8vq.a
-j8w0 j8vz.a -j8w9 j8w8.a -j8wi j8wh.a -j8wr j8wq.a -l67i 1xah j8wz.a -j8x9 j8x8.a -j8xi j8xh.a -j8xr j8xq.a -j8y0
j8xz.a -j8y9 j8y8.a -j8yi j8yh.a -j8yr j8yq.a -j8z0 j8yz.a -j8z9 j8z8.a -l6a9 1xaq j8zh.a -j8zr j8zq.a -j900 j8zz.a
-j909 j908.a -j90i j90h.a -j90r j90q.a -j910 j90z.a -j919 j918.a -j91i j91h.a -j91r j91q.a -ldai 6xh 1xaz j91z.a -j929
j928.a -j92i j92h.a -j92r j92q.a -j930 j92z.a -j939 j938.a -j93i j93h.a -j93r j93q.a -j940 j93z.a -j949 j948.a -l6fr
1xb8 j94h.a -j94r j94q.a -j950 j94z.a -j959 j958.a -j95i j95h.a -j95r j95q.a -j960 j95z.a -j969 j968.a -j96i j96h.a
-j96r j96q.a -l6ii 1xbh j96z.a -j979 j978.a -j97i j97h.a -j97r j97q.a -j980 j97z.a -j989 j988.a -j98i j98h.a -j98r
j98q.a -j990 j98z.a -j999 j998.a -l6l9 1xbq j99h.a -j99r j99q.a -j9a0 j99z.a -j9a9 j9a8.a -j9ai j9ah.a -j9ar j9aq.a
-j9b0 j9az.a -j9b9 j9b8.a -j9bi j9bh.a -j9br j9bq.a -l6o0 1xbz j9bz.a -j9c9 j9c8.a -j9ci j9ch.a -j9cr j9cq.a -j9d0
j9cz.a -j9d9 j9d8.a -j9di j9dh.a -j9dr j9dq.a -j9e0 j9dz.a -j9e9 j9e8.a -l6qr 1xc8 j9eh.a -j9er j9eq.a -j9f0 j9ez.a
-j9f9 j9f8.a -j9fi j9fh.a -j9fr j9fq.a -j9g0 j9fz.a -j9g9 j9g8.a -j9gi j9gh.a -j9gr j9gq.a -l6ti 1xch j9gz.a -j9h9
j9h8.a -j9hi j9hh.a -j9hr j9hq.a -j9i0 j9hz.a -j9i9 j9i8.a -j9ii j9ih.a -j9ir j9iq.a -j9j0 j9iz.a -j9j9 j9j8.a -l6w9
1xcq j9jh.a -j9jr j9jq.a -j9k0 j9jz.a -j9k9 j9k8.a -j9ki j9kh.a -j9kr j9kq.a -j9l0 j9kz.a -j9l9 j9l8.a -j9li j9lh.a
-j9lr j9lq.a -l6z0 1xcz j9lz.a -j9m9 j9m8.a -j9mi j9mh.a -j9mr j9mq.a -j9n0 j9mz.a -j9n9 j9n8.a -j9ni j9nh.a -j9nr
j9nq.a -j9o0 j9nz.a -j9o9 j9o8.a -l71r 1xd8 j9oh.a -j9or j9oq.a -j9p0 j9oz.a -j9p9 j9p8.a -j9pi j9ph.a -j9pr j9pq.a
-j9q0 j9pz.a -j9q9 j9q8.a -j9qi j9qh.a -j9qr j9qq.a -le29 6xq 1xdh j9qz.a -j9r9 j9r8.a -j9ri j9rh.a -j9rr j9rq.a -j9s0
j9rz.a -j9s9 j9s8.a -j9si j9sh.a -j9sr j9sq.a -j9t0 j9sz.a -j9t9 j9t8.a -l779 1xdq j9th.a -j9tr j9tq.a -j9u0 j9tz.a
-j9u9 j9u8.a -j9ui j9uh.a -j9ur j9uq.a -j9v0 j9uz.a -j9v9 j9v8.a -j9vi j9vh.a -j9vr j9vq.a -l7a0 1xdz j9vz.a -j9w9
j9w8.a -j9wi j9wh.a -j9wr j9wq.a -j9x0 j9wz.a -j9x9 j9x8.a -j9xi j9xh.a -j9xr j9xq.a -j9y0 j9xz.a -j9y9 j9y8.a -l7cr
1xe8 j9yh.a -j9yr j9yq.a -j9z0 j9yz.a -j9z9 j9z8.a -j9zi j9zh.a -j9zr j9zq.a -ja00 j9zz.a -ja09 ja08.a -ja0i ja0h.a
-ja0r ja0q.a -l7fi 1xeh ja0z.a -ja19 ja18.a -ja1i ja1h.a -ja1r ja1q.a -ja20 ja1z.a -ja29 ja28.a -ja2i ja2h.a -ja2r
ja2q.a -ja30 ja2z.a -ja39 ja38.a -l7i9 1xeq ja3h.a -ja3r ja3q.a -ja40 ja3z.a -ja49 ja48.a -ja4i ja4h.a -ja4r ja4q.a
-ja50 ja4z.a -ja59 ja58.a -ja5i ja5h.a -ja5r ja5q.a -l7l0 1xez ja5z.a -ja69 ja68.a -ja6i ja6h.a -ja6r ja6q.a -ja70
ja6z.a -ja79 ja78.a -ja7i ja7h.a -ja7r ja7q.a -ja80 ja7z.a -ja89 ja88.a -l7nr 1xf8 ja8h.a -ja8r ja8q.a -ja90 ja8z.a
-ja99 ja98.a -ja9i ja9h.a -ja9r ja9q.a -jaa0 ja9z.a -jaa9 jaa8.a -jaai jaah.a -jaar jaaq.a -l7qi 1xfh jaaz.a -jab9
jab8.a -jabi jabh.a -jabr jabq.a -jac0 jabz.a -jac9 jac8.a -jaci jach.a -jacr jacq.a -jad0 jacz.a -jad9 jad8.a -l7t9
1xfq jadh.a -jadr jadq.a -jae0 jadz.a -jae9 jae8.a -jaei jaeh.a -jaer jaeq.a -jaf0 jaez.a -jaf9 jaf8.a -jafi jafh.a
-jafr jafq.a
"""

CNTRL = """
1 8.3 36.3 -39 38.a -3i 3h.a -3r 3q.a -40.4 -i h.a -r q.2 -s.6
"""

TO_UPPER = """
2p.q.1.-w 2c.1.1.kn 17.n.1.-w o.7.1.-w 7.1.1.3d 2.o.2.-1 1c.1.1.-6g 2.3.2.-1 7.8.2.-1 h.n.2.-1 1b.3.2.-1 5.1.1.-8c
1.1.1.5f 3.2.2.-1 5.1.1.-1 4.1.1.-1 6.1.1.-1 3.1.1.2p 4.1.1.-1 1.1.1.4j 4.1.1.3m 3.3.2.-1 7.1.1.-1 5.1.1.-1 3.1.1.-1
4.2.2.-1 5.1.1.-1 4.1.1.-1 2.1.1.1k 6.1.1.-1 1.1.1.-2 2.1.1.-1 1.1.1.-2 2.1.1.-1 1.1.1.-2 2.8.2.-1 f.1.1.-27 2.9.2.-1
j.1.1.-1 1.1.1.-2 2.1.1.-1 4.k.2.-1 16.9.2.-1 p.1.1.-1 3.2.1.8cf 3.1.1.-1 5.5.2.-1 9.1.1.8bj 1.1.1.8bg 1.1.1.8bi
1.1.1.-5u 1.1.1.-5q 2.2.1.-5p 3.1.1.-5m 2.1.1.-5n 1.1.1.wnj 4.1.1.-5p 1.1.1.wnf 2.1.1.-5r 2.1.1.wmg 1.1.1.wn8
2.1.1.-5t 1.1.1.-5v 1.1.1.wn8 1.1.1.8af 1.1.1.wn5 3.1.1.-5v 2.1.1.8al 1.1.1.-5x 3.1.1.-5y 8.1.1.89z 3.1.1.-62
2.1.1.wn7 1.1.1.-62 4.1.1.wmi 1.1.1.-62 1.1.1.-1x 1.2.1.-61 2.1.1.-1z 6.1.1.-63 b.1.1.wlx 1.1.1.wlu 4n.1.1.2c
18.2.2.-1 6.1.1.-1 4.3.1.3m 1d.1.1.-12 1.3.1.-11 4.h.1.-w h.1.1.-v 1.9.1.-w 9.1.1.-1s 1.2.1.-1r 3.1.1.-1q 1.1.1.-1l
4.1.1.-1b 1.1.1.-1i 1.1.1.-8 2.c.2.-1 n.1.1.-2e 1.1.1.-28 1.1.1.7 1.1.1.-38 2.1.1.-2o 3.1.1.-1 3.1.1.-1 1h.w.1.-w
w.g.1.-28 h.h.2.-1 16.r.2.-1 1j.7.2.-1 d.1.1.-f 2.1c.2.-1 40.12.1.-1c 29b.17.1.2bk 19.3.1.2bk l7.6.1.-8 1oo.1.1.-4tq
1.1.1.-4tp 1.1.1.-4tg 1.2.1.-4te 2.1.1.-4tf 1.1.1.-4t8 1.1.1.-4rp 1.1.1.r7m 6p.1.1.r9g 4.1.1.2xy h.1.1.raw 37.23.2.-1
4a.1.1.-1n 6.1c.2.-1 2n.8.1.8 g.6.1.8 g.8.1.8 g.8.1.8 g.6.1.8 h.4.2.8 f.8.1.8 g.2.1.22 2.4.1.2e 4.2.1.2s 2.2.1.3k
2.2.1.34 2.2.1.3i 4.8.1.8 g.8.1.8 g.8.1.8 g.2.1.8 3.1.1.9 b.1.1.-5k5 5.1.1.9 d.2.1.8 g.2.1.8 5.1.1.7 e.1.1.9 9n.1.1.-s
y.g.1.-g k.1.1.-1 ng.q.1.-q 1gg.1c.1.-1c 1d.1.1.-1 4.1.1.-8bv 1.1.1.-8bs 2.3.2.-1 b.1.1.-1 3.1.1.-1 b.1e.2.-1
2z.2.2.-1 7.1.1.-1 d.12.1.-5ls 13.1.1.-5ls 6.1.1.-5ls nx0.n.2.-1 1s.e.2.-1 4i.7.2.-1 g.v.2.-1 1z.2.2.-1 5.5.2.-1
d.1.1.-1 5.2.2.-1 3.1.1.1c 3.a.2.-1 u.8.2.-1 j.2.2.-1 9.1.1.-1 6.2.2.-1 v.1.1.-1 nx.1.1.-ps t.28.1.-tzk gk1.q.1.-w
yv.14.1.-14 4w.10.1.-14 5b.b.1.-13 c.f.1.-13 g.7.1.-13 8.2.1.-13 1dx.1f.1.-1s 2dc.w.1.-w gww.w.1.-w o8y.y.1.-y
"""

TO_LOWER = """
1t.q.1.w 3j.n.1.w o.7.1.w 14.o.2.1 1c.1.1.-5j 2.3.2.1 7.8.2.1 h.n.2.1 1a.1.1.-3d 1.3.2.1 8.1.1.5u 1.2.2.1 4.1.1.5q
1.1.1.1 2.2.1.5p 2.1.1.1 3.1.1.27 1.1.1.5m 1.1.1.5n 1.1.1.1 2.1.1.5p 1.1.1.5r 2.1.1.5v 1.1.1.5t 1.1.1.1 4.1.1.5v
1.1.1.5x 2.1.1.5y 1.3.2.1 6.1.1.62 1.1.1.1 2.1.1.62 3.1.1.1 2.1.1.62 1.1.1.1 2.2.1.61 2.2.2.1 4.1.1.63 1.1.1.1 4.1.1.1
8.1.1.2 1.1.1.1 2.1.1.2 1.1.1.1 2.1.1.2 1.9.2.1 j.9.2.1 j.1.1.2 1.2.2.1 4.1.1.-2p 1.1.1.-1k 1.k.2.1 14.1.1.-3m 2.9.2.1
o.1.1.8bv 1.1.1.1 2.1.1.-4j 1.1.1.8bs 3.1.1.1 2.1.1.-5f 1.1.1.1x 1.1.1.1z 1.5.2.1 8a.2.2.1 6.1.1.1 9.1.1.38 7.1.1.12
2.3.1.11 4.1.1.1s 2.2.1.1r 3.h.1.w i.9.1.w 18.1.1.8 9.c.2.1 s.1.1.-1o 3.1.1.1 2.1.1.-7 1.1.1.1 3.3.1.-3m 3.g.1.28
g.w.1.w 28.h.2.1 16.r.2.1 1i.1.1.f 1.7.2.1 f.1c.2.1 2p.12.1.1c 29b.12.1.5ls 13.1.1.5ls 6.1.1.5ls k3.28.1.tzk 28.6.1.8
1pc.17.1.-2bk 19.3.1.-2bk 8z.23.2.1 4e.1.1.-5vj 2.1c.2.1 2w.8.1.-8 g.6.1.-8 g.8.1.-8 g.8.1.-8 g.6.1.-8 h.4.2.-8
f.8.1.-8 w.8.1.-8 g.8.1.-8 g.8.1.-8 g.2.1.-8 2.2.1.-22 2.1.1.-9 c.4.1.-2e 4.1.1.-9 c.2.1.-8 2.2.1.-2s e.2.1.-8
2.2.1.-34 2.1.1.-7 c.2.1.-3k 2.2.1.-3i 2.1.1.-9 8a.1.1.-5st 4.1.1.-6gv 1.1.1.-6di 7.1.1.s 1a.g.1.g z.1.1.1 mr.q.1.q
1fu.1c.1.1c 2o.1.1.1 2.1.1.-8af 1.1.1.-2xy 1.1.1.-89z 3.3.2.1 6.1.1.-8bg 1.1.1.-8al 1.1.1.-8bj 1.1.1.-8bi 2.1.1.1
3.1.1.1 9.2.1.-8cf 2.1e.2.1 2z.2.2.1 7.1.1.1 nym.n.2.1 1s.e.2.1 4i.7.2.1 g.v.2.1 1z.2.2.1 4.1.1.-r9g 1.5.2.1 d.1.1.1
2.1.1.-wmg 3.2.2.1 6.a.2.1 k.1.1.-wn8 1.1.1.-wnj 1.1.1.-wnf 1.1.1.-wn5 1.1.1.-wn8 2.1.1.-wlu 1.1.1.-wmi 1.1.1.-wlx
1.1.1.ps 1.8.2.1 g.1.1.-1c 1.1.1.-wn7 1.1.1.-raw 1.2.2.1 9.1.1.1 6.2.2.1 v.1.1.1 h7w.q.1.w yn.14.1.14 4w.10.1.14
5c.b.1.13 c.f.1.13 g.7.1.13 8.2.1.13 1d8.1f.1.1s 2e8.w.1.w gww.w.1.w o8w.y.1.y
"""
